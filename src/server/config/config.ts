import type { z } from 'zod';
import { type OpeningSpan, parseOpeningHours } from '#domain/text/opening-hours.ts';
import { configFile as fileTexts } from '#locales/operator/config-file.ts';
import { server as texts } from '#locales/operator/server.ts';
import { fill } from '#locales/fill.ts';
import { tenantFaults, auth0TenantOf } from './auth0-tenant-config.ts';
import { type ApiEntry, type ClientEntry, readApis, readClients } from './client-file.ts';
import { consoleRights } from './console-config.ts';
import { CONFIG_FILE, type ConfigFile, readConfigFile } from './config-file.ts';
import { configWarnings } from './config-warnings.ts';
import { deliveryConfig } from './delivery-config.ts';
import { deliveryFaults } from './delivery-faults.ts';
import { faultWords } from './fault-words.ts';
import { keyConfig, keyFaults } from './key-config.ts';
import { type LimitSettings, readLimits } from './limits.ts';
import { type ModuleConfig, readModules } from './modules-file.ts';
import { OperatorError } from './operator-error.ts';
import { environmentOf, type Fault, type Settings } from './setting.ts';
import { NO_PROXY, SETTINGS } from './settings.ts';
import { timersOf } from './timers.ts';
import { tracesConfig, tracesFaults } from './traces-config.ts';
import { demoSecret, readSecretFile } from './secret.ts';
import { type Called, hoursFaults, productionFaults } from './production-faults.ts';

/** Hours of the help line, by the clock of an IANA zone. */
export type HelpHours = { readonly spans: readonly OpeningSpan[]; readonly timeZone: string };

/** What the settings say, and the documents that they name. */
export type Config = Values & {
  /** Limits with numbers of the operator's own. */
  readonly limits: LimitSettings;
  /** The operator's modules; a demo has its own. */
  readonly modules: readonly ModuleConfig[];
  /** What is worth a look and stops nothing, in words for the operator. */
  readonly warnings: readonly string[];
  /** Other applications that may sign people in here, from the operator's file. */
  readonly clients: readonly ClientEntry[];
  /** APIs that those may ask access tokens for. */
  readonly apis: readonly ApiEntry[];
};

/** Most balancers ask every few seconds. */
export const DRAIN_SECONDS = 5;
export const PRODUCTION_LOG_LEVEL = 'info';
const NO_MODULES = { modules: [], faults: [], warnings: [], missing: [] } as const;
export const DEMO_LIMIT_FACTOR = 100;

/** What a setting is that the operator leaves out. */
const IN_PRODUCTION = {
  drainSeconds: DRAIN_SECONDS,
  limitFactor: 1,
  appCodes: 'off',
  logLevel: PRODUCTION_LOG_LEVEL,
} as const;
const IN_DEMO = {
  drainSeconds: 0,
  limitFactor: DEMO_LIMIT_FACTOR,
  appCodes: 'on',
  logLevel: 'warn',
} as const;

const environment = environmentOf(SETTINGS);
/**
 * Reads the settings from the environment.
 * @throws OperatorError that lists every fault at once (ARC-02).
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const { config, faults } = readConfig(env);
  if (config) return config;
  throw new OperatorError(
    [texts.badEnvironment, ...faults.map((fault) => `  - ${fault}`)].join('\n'),
  );
}

type Reading = {
  /** `null`: there are faults. */
  readonly config: Config | null;
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
};

/**
 * Reads the settings, and the files that they name; tells every fault and every warning. What the environment says wins
 * over the configuration file.
 */
export function readConfig(env: NodeJS.ProcessEnv): Reading {
  const stated = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const file = readConfigFile(stated[CONFIG_FILE]);
  const inFile = file ? fileSettings(file, stated) : {};
  const secret = readSecretFile({ ...inFile, ...stated });
  const given: NodeJS.ProcessEnv = { ...inFile, ...stated, ...secret.given };
  const called = settingNames(file, inFile, stated);
  const tell = (name: string, { at, says }: Fault) =>
    at.length > 0 ? `${called(name, at)}: ${says}` : `${called(name)} ${says}`;
  const documentOf = (name: string) =>
    stated[name] === undefined && file?.inline.has(name)
      ? { value: file.inline.get(name) }
      : given[name];

  const isProduction = given.PORCHLIGHT_MODE === 'production';
  const parsed = environment.safeParse(given, { error: faultWords });
  const issues = parsed.error?.issues ?? [];
  const clients = readClients(documentOf('PORCHLIGHT_CLIENTS_FILE'), { isDemo: !isProduction });
  const apis = readApis(documentOf('PORCHLIGHT_APIS_FILE'));
  const limits = readLimits(given.PORCHLIGHT_LIMITS);
  const modulesFile = documentOf('PORCHLIGHT_MODULES_FILE');
  const modules = modulesFile ? readModules(modulesFile, { isDemo: !isProduction }) : NO_MODULES;
  const documents = {
    PORCHLIGHT_CLIENTS_FILE: clients,
    PORCHLIGHT_APIS_FILE: apis,
    PORCHLIGHT_LIMITS: limits,
    PORCHLIGHT_MODULES_FILE: modules,
  };
  const warnings = [
    // A demo plays those that are missing itself.
    ...configWarnings(given, isProduction ? modules.missing : [], called),
    ...(file?.warnings ?? []),
    ...Object.entries(documents).flatMap(([name, read]) =>
      read.warnings.map((warning) => tell(name, warning)),
    ),
  ];
  const faults = [
    ...(file?.faults ?? []),
    ...secret.faults(called),
    ...issues.map(({ path: [name, ...at], message }) => `${called(String(name), at)}: ${message}`),
    ...deliveryFaults(given, called),
    ...tenantFaults(given, called),
    ...tracesFaults(given, called),
    ...hoursFaults(given, called),
    ...keyFaults(given, called),
    ...Object.entries(documents).flatMap(([name, read]) =>
      read.faults.map((fault) => tell(name, fault)),
    ),
    ...(isProduction ? productionFaults(given, called) : []),
  ];
  if (!parsed.success || faults.length > 0) return { config: null, faults, warnings };
  const config: Config = {
    ...valuesOf(parsed.data),
    limits: limits.settings,
    modules: modules.modules,
    warnings,
    clients: clients.entries,
    apis: apis.entries,
  };
  return { config, faults, warnings };
}

type Values = Readonly<ReturnType<typeof valuesOf>>;

function valuesOf(values: z.output<typeof environment>) {
  const { HOST: host, PORT: port, PORCHLIGHT_COUNTRIES: countries } = values;
  const isProduction = values.PORCHLIGHT_MODE === 'production';
  const defaults = isProduction ? IN_PRODUCTION : IN_DEMO;
  const publicUrl = values.PORCHLIGHT_PUBLIC_URL ?? `http://localhost:${port}`;
  const tenant = auth0TenantOf(values);
  const appCodes = values.PORCHLIGHT_APP_CODES ?? defaults.appCodes;
  return {
    mode: values.PORCHLIGHT_MODE,
    host,
    port,
    /** The address has no closing slash. */
    publicUrl,
    dataDirectory: values.PORCHLIGHT_DATA_DIR,
    databaseUrl: values.DATABASE_URL ?? null,
    /** Connections that this instance opens at most. */
    databasePool: values.PORCHLIGHT_DATABASE_POOL,
    /** Files that hold a secret. */
    secretFiles: [values.PORCHLIGHT_SECRET_FILE, values.MAIL_DKIM_KEY_FILE].filter(
      (file) => file !== undefined,
    ),
    secret: values.PORCHLIGHT_SECRET ?? demoSecret(values.PORCHLIGHT_DATA_DIR),
    /** The server still reads with these, and no longer writes with them. */
    previousSecrets: values.PORCHLIGHT_PREVIOUS_SECRETS,
    /** Age at which a key gets its successor. */
    keyRotationDays: values.PORCHLIGHT_KEY_ROTATION_DAYS,
    /** How long a server that was told to stop goes on serving while it says that it is not ready. */
    drainSeconds: values.PORCHLIGHT_DRAIN_SECONDS ?? defaults.drainSeconds,
    ...deliveryConfig(values, { isProduction, publicUrl, countries }),
    /** A real Auth0 tenant; `null`: the embedded hosted login. */
    tenant,
    trustedProxies: values.TRUSTED_PROXIES.filter((proxy) => proxy !== NO_PROXY),
    enumerationProtection: values.PORCHLIGHT_ENUMERATION,
    /** The proof of work: always, or after failures and under pressure; and how much of it. */
    captcha: {
      isAlways: values.PORCHLIGHT_CAPTCHA === 'always',
      work: values.PORCHLIGHT_CAPTCHA_WORK,
    },
    /** Factor of the default limits: all visitors of a demo share its accounts, so they are wider. */
    limitFactor: defaults.limitFactor as number,
    /** How long sessions and links are good for, and what is over is kept. */
    timers: timersOf(values),
    mainImageMode: values.PORCHLIGHT_MAIN_IMAGE_MODE as 1 | 2 | 3,
    /** Milliseconds between the steps of the processing screen. */
    stepGapMs: values.PORCHLIGHT_STEP_GAP_MS,
    fullWidthPaths: values.PORCHLIGHT_FULL_WIDTH_PATHS,
    help: { phone: values.PORCHLIGHT_HELP_PHONE, email: values.PORCHLIGHT_HELP_EMAIL },
    /** When the phone is answered, by the clock of a zone; `null`: pages tell no hours. */
    helpHours: helpHoursOf(values.PORCHLIGHT_HELP_HOURS, values.PORCHLIGHT_TIME_ZONE),
    /** IANA name of the zone whose clock mails tell; `null`: they tell no clock time. */
    timeZone: values.PORCHLIGHT_TIME_ZONE ?? null,
    /** ISO 3166 codes of the countries people may register from; empty: all. */
    countries,
    /** The languages of pages and mails; empty: all. English stays in any case. */
    languages: values.PORCHLIGHT_LANGUAGES,
    /** The folder of the operator's own logos; `null`: the product's logos are used. */
    logosDirectory: values.PORCHLIGHT_LOGOS_DIR ?? null,
    /** The API of a request that names none; `null`: no API. */
    defaultAudience: values.PORCHLIGHT_DEFAULT_AUDIENCE ?? null,
    /** Auth0's password grants (RFC 9700, 2.4: must not be used). */
    isPasswordGrantOn: values.PORCHLIGHT_PASSWORD_GRANT === 'on',
    /** People may set up codes from an app. Those that are set up are asked for in any case. */
    offersAppCodes: appCodes === 'on' && !tenant,
    /** Passkeys; `null`: switched off, or they cannot work at this address or with a tenant. */
    keys: keyConfig(values, publicUrl),
    /** The token for `GET /metrics`; `null`: the route does not exist. */
    metricsToken: values.PORCHLIGHT_METRICS_TOKEN ?? null,
    /** The collector that traces go to; `null`: there are none. */
    traces: tracesConfig(values),
    /** The roles and accounts that have rights at the console. */
    console: consoleRights(values, isProduction),
    /** How long the audit log is kept, in days (R52). */
    auditDays: values.PORCHLIGHT_AUDIT_DAYS,
    /** How long leads are kept that no CRM is there for, in days. */
    leadDays: values.PORCHLIGHT_LEAD_DAYS,
    logLevel: values.LOG_LEVEL ?? defaults.logLevel,
  };
}

/** What the file says; a secret in the environment is chosen before a file that the configuration file names. */
function fileSettings({ given }: ConfigFile, stated: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { PORCHLIGHT_SECRET_FILE: _, ...others } = given;
  return stated.PORCHLIGHT_SECRET === undefined ? given : others;
}

/** How the operator names a setting, and what is inside it: by where it stands, or else by where it may stand. */
function settingNames(
  file: ConfigFile | null,
  inFile: NodeJS.ProcessEnv,
  stated: NodeJS.ProcessEnv,
): Called {
  return (name, at = []) => {
    const row = (SETTINGS as Settings)[name];
    if (!file || !row || stated[name] !== undefined) {
      return at.length > 0 ? `${name} ${at.join('.')}` : name;
    }
    const { path, form } = row;
    const isThere = inFile[name] !== undefined || (form !== 'secret' && file.has(path));
    if (isThere) return file.place([...path.split('.'), ...at]);
    return form === 'secret' ? name : fill(fileTexts.orEnvironment, { path, name });
  };
}

function helpHoursOf(hours = '', timeZone = ''): HelpHours | null {
  const spans = parseOpeningHours(hours);
  return spans && { spans, timeZone };
}
