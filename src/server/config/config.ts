import { randomBytes, randomUUID } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod';
import { isLoopbackHost } from '#domain/loopback.ts';
import { nearest } from '#domain/nearest.ts';
import type { ModuleId } from '#domain/roles.ts';
import { configCommand } from '#locales/en/config-command.ts';
import { server as texts } from '#locales/en/server.ts';
import { fill } from '#locales/fill.ts';
import { type LimitSettings, readLimits } from './limits.ts';
import { type ApiEntry, type ClientEntry, readApis, readClients } from './client-file.ts';
import {
  type TenantConfig,
  tenantEnvironment,
  tenantFaults,
  tenantOf,
} from './auth0-tenant-config.ts';
import {
  type DeliveryConfig,
  deliveryConfig,
  deliveryEnvironment,
  deliveryFaults,
} from './delivery-config.ts';
import { readModules } from './modules-file.ts';
import { OperatorError } from './operator-error.ts';

export type ModuleConfig = {
  readonly id: ModuleId;
  /** Where the module's root and login pages are. */
  readonly rootUrl: string;
  readonly loginUrl: string;
  /** SHA-256 of the secret the module redeems with. */
  readonly secretHash: string | null;
  /** The module's public key; with one, the password's sealed copy travels to it (HND-05). */
  readonly sealedTo: Readonly<Record<string, unknown>> | null;
};

export type Config = DeliveryConfig & {
  readonly mode: 'demo' | 'production';
  readonly host: string;
  readonly port: number;
  /** No closing slash. */
  readonly publicUrl: string;
  readonly dataDirectory: string;
  readonly databaseUrl: string | null;
  readonly secret: string;
  /** Still read, no longer written with. */
  readonly previousSecrets: readonly string[];
  /** Age at which a key gets its successor. */
  readonly keyRotationDays: number;
  /** How long a server that was told to stop goes on serving while it says that it is not ready. */
  readonly drainSeconds: number;
  /** A real Auth0 tenant; `null`: the embedded hosted login. */
  readonly tenant: TenantConfig | null;
  readonly trustedProxies: readonly string[];
  readonly enumerationProtection: 'balanced' | 'strict' | 'off';
  /** The proof of work: always, or after failures and under pressure; and how much of it. */
  readonly captcha: { readonly isAlways: boolean; readonly work: number };
  /** Demo accounts are shared by everyone who tries the product, so their limits are wider. */
  readonly limitFactor: number;
  /** Limits with numbers of the operator's own. */
  readonly limits: LimitSettings;
  readonly mainImageMode: 1 | 2 | 3;
  readonly fullWidthPaths: readonly string[];
  readonly help: { readonly phone: string; readonly email: string };
  /** IANA name of the zone whose clock mails tell. */
  readonly timeZone: string;
  /** ISO 3166 codes of the countries people may register from; empty: all. */
  readonly countries: readonly string[];
  /** Logos of the operator's own; `null`: those that come with the product. */
  readonly logosDirectory: string | null;
  /** The operator's modules; a demo has its own. */
  readonly modules: readonly ModuleConfig[];
  /** What is worth a look and stops nothing, in words for the operator. */
  readonly warnings: readonly string[];
  /** Other applications that may sign people in here, from the operator's file. */
  readonly clients: readonly ClientEntry[];
  /** APIs that those may ask access tokens for. */
  readonly apis: readonly ApiEntry[];
  /** The API of a request that names none; `null`: no API. */
  readonly defaultAudience: string | null;
  /** Auth0's password grants (RFC 9700, 2.4: must not be used). */
  readonly isPasswordGrantOn: boolean;
  /** Who knows it may read `GET /metrics`; `null`: nobody, there is none. */
  readonly metricsToken: string | null;
  /** How long the audit log is kept, in days (R52). */
  readonly auditDays: number;
  /** How long leads are kept that no CRM is there for, in days. */
  readonly leadDays: number;
  readonly logLevel: string;
};

const SECRET_BYTES = 32;
/** Different characters that a random secret has: hexadecimal ones have no more than 16. */
const SECRET_VARIETY = 10;
/** Visitors would all share the proxy's address, and its limits: that there is no proxy has to be said. */
const NO_PROXY = 'none';
/** Most balancers ask every few seconds. */
const DRAIN_SECONDS = 5;
const DEMO_HELP = {
  PORCHLIGHT_HELP_PHONE: '+1 555 010 0199',
  PORCHLIGHT_HELP_EMAIL: 'help@demo.porchlight.test',
} as const;
const NO_MODULES = { modules: [], faults: [], missing: [] } as const;
const PREFIX = 'PORCHLIGHT_';
export const DEMO_LIMIT_FACTOR = 100;
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  );

/** Separated by commas; a JSON array when one of them has a comma itself. */
const secretList = z
  .string()
  .default('')
  .transform((text, context): unknown => {
    if (!text.trimStart().startsWith('[')) return text.split(',').map((item) => item.trim());
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue('is no JSON array');
      return [];
    }
  })
  .transform((items) => (Array.isArray(items) ? items.filter((item) => item !== '') : items))
  .pipe(z.array(z.string().min(SECRET_BYTES)));

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory() && readdirSync(path).length >= 0;
  } catch {
    return false;
  }
}

function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Names that Fastify takes for whole networks, an address, or one with the length of its prefix. */
function isProxy(text: string): boolean {
  if ([NO_PROXY, 'loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', bits, ...rest] = text.split('/');
  const length = isIP(address) === 4 ? 32 : 128;
  const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= length);
  return isIP(address) !== 0 && isPrefix && rest.length === 0;
}

const environment = z.object({
  PORCHLIGHT_MODE: z.enum(['demo', 'production']).default('demo'),
  HOST: z.string().default('localhost'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  PORCHLIGHT_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  PORCHLIGHT_DATA_DIR: z.string().min(1).default('data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  PORCHLIGHT_SECRET: z.string().min(SECRET_BYTES).optional(),
  PORCHLIGHT_SECRET_FILE: z.string().optional(),
  PORCHLIGHT_PREVIOUS_SECRETS: secretList,
  PORCHLIGHT_DRAIN_SECONDS: z.coerce.number().int().min(0).max(60).optional(),
  PORCHLIGHT_KEY_ROTATION_DAYS: z.coerce.number().int().min(7).max(3650).default(90),
  ...deliveryEnvironment,
  TRUSTED_PROXIES: list.refine(
    (proxies) => proxies.every(isProxy),
    `must be ${NO_PROXY}, or addresses such as 10.0.0.1, 10.0.0.0/8 or loopback`,
  ),
  ...tenantEnvironment,
  PORCHLIGHT_ENUMERATION: z.enum(['balanced', 'strict', 'off']).default('balanced'),
  PORCHLIGHT_CAPTCHA: z.enum(['pressure', 'always']).default('pressure'),
  PORCHLIGHT_CAPTCHA_WORK: z.coerce.number().int().min(1).max(100_000).default(100),
  PORCHLIGHT_MAIN_IMAGE_MODE: z.enum(['1', '2', '3']).default('1'),
  PORCHLIGHT_FULL_WIDTH_PATHS: list,
  PORCHLIGHT_HELP_PHONE: z.string().default(DEMO_HELP.PORCHLIGHT_HELP_PHONE),
  PORCHLIGHT_HELP_EMAIL: z.string().default(DEMO_HELP.PORCHLIGHT_HELP_EMAIL),
  PORCHLIGHT_TIME_ZONE: z.string().refine(isTimeZone, 'is no time zone').default('UTC'),
  PORCHLIGHT_COUNTRIES: list,
  PORCHLIGHT_LOGOS_DIR: z.string().refine(isDirectory, 'is no readable directory').optional(),
  PORCHLIGHT_MODULES_FILE: z.string().optional(),
  PORCHLIGHT_CLIENTS_FILE: z.string().optional(),
  PORCHLIGHT_APIS_FILE: z.string().optional(),
  PORCHLIGHT_PASSWORD_GRANT: z.enum(['on', 'off']).default('off'),
  PORCHLIGHT_DEFAULT_AUDIENCE: z.string().min(1).max(200).optional(),
  PORCHLIGHT_METRICS_TOKEN: z
    .string()
    .min(SECRET_BYTES)
    .regex(/^\S+$/, 'has a space in it')
    .optional(),
  PORCHLIGHT_AUDIT_DAYS: z.coerce.number().int().min(30).max(36_500).default(365),
  PORCHLIGHT_LEAD_DAYS: z.coerce.number().int().min(1).max(3650).default(30),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).optional(),
});

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

/** Reads the settings, and the files that they name; tells every fault and every warning. */
export function readConfig(env: NodeJS.ProcessEnv): Reading {
  const stated = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const file = readSecretFile(stated);
  const given = { ...stated, ...file.given };
  const isProduction = given.PORCHLIGHT_MODE === 'production';
  const parsed = environment.safeParse(given);
  const issues = parsed.error?.issues ?? [];
  const clients = readClients(given.PORCHLIGHT_CLIENTS_FILE, { isDemo: !isProduction });
  const apis = readApis(given.PORCHLIGHT_APIS_FILE);
  const limits = readLimits(given.PORCHLIGHT_LIMITS);
  const modulesFile = given.PORCHLIGHT_MODULES_FILE;
  const modules = modulesFile ? readModules(modulesFile) : NO_MODULES;
  // A demo plays those that are missing itself.
  const warnings = warningsOf(given, isProduction ? modules.missing : []);
  const faults = [
    ...file.faults,
    ...issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    ...deliveryFaults(given),
    ...tenantFaults(given),
    ...clients.faults.map((fault) => `PORCHLIGHT_CLIENTS_FILE ${fault}`),
    ...apis.faults.map((fault) => `PORCHLIGHT_APIS_FILE ${fault}`),
    ...limits.faults.map((fault) => `PORCHLIGHT_LIMITS ${fault}`),
    ...modules.faults.map((fault) => `PORCHLIGHT_MODULES_FILE ${fault}`),
    ...(isProduction ? productionFaults(given) : []),
  ];
  if (!parsed.success || faults.length > 0) return { config: null, faults, warnings };
  const values = parsed.data;

  const { HOST: host, PORT: port } = values;
  const publicUrl = (values.PORCHLIGHT_PUBLIC_URL ?? `http://localhost:${port}`).replace(
    /\/+$/,
    '',
  );
  const config: Config = {
    mode: values.PORCHLIGHT_MODE,
    host,
    port,
    publicUrl,
    dataDirectory: values.PORCHLIGHT_DATA_DIR,
    databaseUrl: values.DATABASE_URL ?? null,
    secret: values.PORCHLIGHT_SECRET ?? demoSecret(values.PORCHLIGHT_DATA_DIR),
    previousSecrets: values.PORCHLIGHT_PREVIOUS_SECRETS,
    keyRotationDays: values.PORCHLIGHT_KEY_ROTATION_DAYS,
    drainSeconds: values.PORCHLIGHT_DRAIN_SECONDS ?? (isProduction ? DRAIN_SECONDS : 0),
    ...deliveryConfig(values, {
      isProduction,
      publicUrl,
      countries: values.PORCHLIGHT_COUNTRIES,
    }),
    tenant: tenantOf(values),
    trustedProxies: values.TRUSTED_PROXIES.filter((proxy) => proxy !== NO_PROXY),
    enumerationProtection: values.PORCHLIGHT_ENUMERATION,
    captcha: {
      isAlways: values.PORCHLIGHT_CAPTCHA === 'always',
      work: values.PORCHLIGHT_CAPTCHA_WORK,
    },
    limitFactor: isProduction ? 1 : DEMO_LIMIT_FACTOR,
    limits: limits.settings,
    mainImageMode: Number(values.PORCHLIGHT_MAIN_IMAGE_MODE) as 1 | 2 | 3,
    fullWidthPaths: values.PORCHLIGHT_FULL_WIDTH_PATHS,
    help: { phone: values.PORCHLIGHT_HELP_PHONE, email: values.PORCHLIGHT_HELP_EMAIL },
    timeZone: values.PORCHLIGHT_TIME_ZONE,
    countries: values.PORCHLIGHT_COUNTRIES,
    logosDirectory: values.PORCHLIGHT_LOGOS_DIR ?? null,
    modules: modules.modules,
    warnings,
    clients: clients.entries,
    apis: apis.entries,
    defaultAudience: values.PORCHLIGHT_DEFAULT_AUDIENCE ?? null,
    isPasswordGrantOn: values.PORCHLIGHT_PASSWORD_GRANT === 'on',
    metricsToken: values.PORCHLIGHT_METRICS_TOKEN ?? null,
    auditDays: values.PORCHLIGHT_AUDIT_DAYS,
    leadDays: values.PORCHLIGHT_LEAD_DAYS,
    logLevel: values.LOG_LEVEL ?? (isProduction ? 'info' : 'warn'),
  };
  return { config, faults, warnings };
}

/** Every setting that there is. */
export const SETTINGS: readonly string[] = [...Object.keys(environment.shape), 'PORCHLIGHT_LIMITS'];

function warningsOf(given: NodeJS.ProcessEnv, missing: readonly string[]): readonly string[] {
  const unknown = Object.keys(given).filter(
    (name) => name.startsWith(PREFIX) && !SETTINGS.includes(name),
  );
  const isProduction = given.PORCHLIGHT_MODE === 'production';
  const isHidden = isLoopbackHost(given.HOST ?? 'localhost');
  const hasTexts = given.TWILIO_ACCOUNT_SID ?? given.SMS_WEBHOOK_URL;
  return [
    ...unknown.map((name) => {
      // Beside the prefix, which makes all names alike.
      const bare = (each: string) => each.slice(PREFIX.length);
      const own = SETTINGS.filter((each) => each.startsWith(PREFIX)).map(bare);
      const near = nearest(bare(name), own);
      const guess =
        near === null ? '' : `${fill(configCommand.guess, { name: `${PREFIX}${near}` })} `;
      return fill(configCommand.unknown, { name, guess });
    }),
    ...(missing.length > 0
      ? [fill(configCommand.missingModules, { ids: missing.join(', ') })]
      : []),
    ...(isProduction && given.TRUSTED_PROXIES === NO_PROXY && isHidden
      ? [configCommand.behindProxy]
      : []),
    ...(isProduction && !hasTexts ? [configCommand.noTexts] : []),
  ];
}

/** The secret out of its own file, as containers and `init` keep it. */
function readSecretFile({
  PORCHLIGHT_SECRET: secret,
  PORCHLIGHT_SECRET_FILE: path,
}: NodeJS.ProcessEnv): {
  readonly given: NodeJS.ProcessEnv;
  readonly faults: readonly string[];
} {
  if (path === undefined) return { given: {}, faults: [] };
  if (secret !== undefined) {
    return { given: {}, faults: ['PORCHLIGHT_SECRET_FILE and PORCHLIGHT_SECRET: choose one'] };
  }
  try {
    return { given: { PORCHLIGHT_SECRET: readFileSync(path, 'utf8').trim() }, faults: [] };
  } catch (error) {
    return { given: {}, faults: [`PORCHLIGHT_SECRET_FILE: ${(error as Error).message}`] };
  }
}

/** What a production start needs and must not have; looked at as given, so that it is told with all other faults. */
function productionFaults(values: NodeJS.ProcessEnv): readonly string[] {
  const needs = [
    ['DATABASE_URL', values.DATABASE_URL, 'is required: the embedded database is for demos'],
    [
      'PORCHLIGHT_SECRET',
      values.PORCHLIGHT_SECRET,
      `is required: at least ${SECRET_BYTES} characters, or PORCHLIGHT_SECRET_FILE`,
    ],
    [
      'PORCHLIGHT_PUBLIC_URL',
      values.PORCHLIGHT_PUBLIC_URL,
      'is required: the https address of the portal',
    ],
    ['SMTP_URL', values.SMTP_URL, 'is required: codes must reach people'],
    ['MAIL_FROM', values.MAIL_FROM, 'is required: who the mails are from'],
    [
      'PORCHLIGHT_MODULES_FILE',
      values.PORCHLIGHT_MODULES_FILE,
      'is required: where the modules are',
    ],
    ['PORCHLIGHT_HELP_PHONE', values.PORCHLIGHT_HELP_PHONE, 'is required: whom visitors can call'],
    [
      'PORCHLIGHT_HELP_EMAIL',
      values.PORCHLIGHT_HELP_EMAIL,
      'is required: whom visitors can write to',
    ],
    [
      'TRUSTED_PROXIES',
      values.TRUSTED_PROXIES,
      `is required: the addresses of the proxies in front, or ${NO_PROXY} when visitors reach this server directly`,
    ],
  ] as const;
  const faults = needs.filter(([, value]) => !value).map(([name, , why]) => `${name} ${why}`);
  if (values.PORCHLIGHT_PUBLIC_URL && !values.PORCHLIGHT_PUBLIC_URL.startsWith('https://')) {
    faults.push('PORCHLIGHT_PUBLIC_URL must begin with https://');
  }
  if (values.PORCHLIGHT_EVENTS_URL && !values.PORCHLIGHT_EVENTS_URL.startsWith('https://')) {
    faults.push('PORCHLIGHT_EVENTS_URL must begin with https://');
  }
  const secrets = new Set(values.PORCHLIGHT_SECRET);
  if (secrets.size > 0 && secrets.size < SECRET_VARIETY) {
    faults.push('PORCHLIGHT_SECRET can be guessed: make one with openssl rand -base64 48');
  }
  for (const [name, value] of Object.entries(DEMO_HELP)) {
    if (values[name] === value) faults.push(`${name} is the demo's: name your own`);
  }
  if (values.PORCHLIGHT_ENUMERATION === 'off') {
    faults.push('PORCHLIGHT_ENUMERATION off is for demo tests only');
  }
  return faults;
}

/** A demo makes its own secret once and keeps it, so that a restart ends no session. */
function demoSecret(directory: string): string {
  const path = join(directory, 'secret');
  const draft = join(directory, `secret.draft-${randomUUID()}`);
  try {
    if (existsSync(path)) return readFileSync(path, 'utf8').trim();
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(draft, randomBytes(SECRET_BYTES).toString('base64url'), { mode: 0o600 });
    keepFirst(draft, path);
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new OperatorError(`${path}: ${(error as Error).message}`);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Of two first starts at one moment both go on with the same secret, and it is never half written. */
function keepFirst(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
