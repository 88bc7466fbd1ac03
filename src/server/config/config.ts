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
import { join } from 'node:path';
import * as z from 'zod';
import { MODULE_IDS, type ModuleId } from '#domain/roles.ts';
import { server as texts } from '#locales/en/server.ts';
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
  readonly mainImageMode: 1 | 2 | 3;
  readonly fullWidthPaths: readonly string[];
  readonly help: { readonly phone: string; readonly email: string };
  /** ISO 3166 codes of the countries people may register from; empty: all. */
  readonly countries: readonly string[];
  /** Logos of the operator's own; `null`: those that come with the product. */
  readonly logosDirectory: string | null;
  readonly modulesFile: string | null;
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
  readonly logLevel: string;
};

const SECRET_BYTES = 32;
/** Different characters that a random secret has: hexadecimal ones have no more than 16. */
const SECRET_VARIETY = 10;
/** Visitors would all share the proxy's address, and its limits: that there is no proxy has to be said. */
const NO_PROXY = 'none';
/** Most balancers ask every few seconds. */
const DRAIN_SECONDS = 5;
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

const environment = z.object({
  PORCHLIGHT_MODE: z.enum(['demo', 'production']).default('demo'),
  HOST: z.string().default('localhost'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  PORCHLIGHT_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  PORCHLIGHT_DATA_DIR: z.string().min(1).default('data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  PORCHLIGHT_SECRET: z.string().min(SECRET_BYTES).optional(),
  PORCHLIGHT_PREVIOUS_SECRETS: secretList,
  PORCHLIGHT_DRAIN_SECONDS: z.coerce.number().int().min(0).max(60).optional(),
  PORCHLIGHT_KEY_ROTATION_DAYS: z.coerce.number().int().min(7).max(3650).default(90),
  ...deliveryEnvironment,
  TRUSTED_PROXIES: list,
  ...tenantEnvironment,
  PORCHLIGHT_ENUMERATION: z.enum(['balanced', 'strict', 'off']).default('balanced'),
  PORCHLIGHT_CAPTCHA: z.enum(['pressure', 'always']).default('pressure'),
  PORCHLIGHT_CAPTCHA_WORK: z.coerce.number().int().min(1).max(100_000).default(100),
  PORCHLIGHT_MAIN_IMAGE_MODE: z.enum(['1', '2', '3']).default('1'),
  PORCHLIGHT_FULL_WIDTH_PATHS: list,
  PORCHLIGHT_HELP_PHONE: z.string().default('+1 555 010 0199'),
  PORCHLIGHT_HELP_EMAIL: z.string().default('help@demo.porchlight.test'),
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
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).optional(),
});

/**
 * Reads the settings from the environment.
 * @throws OperatorError that lists every fault at once (ARC-02).
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const isProduction = given.PORCHLIGHT_MODE === 'production';
  const parsed = environment.safeParse(given);
  const issues = parsed.error?.issues ?? [];
  const clients = readClients(given.PORCHLIGHT_CLIENTS_FILE, { isDemo: !isProduction });
  const apis = readApis(given.PORCHLIGHT_APIS_FILE);
  const faults = [
    ...issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    ...deliveryFaults(given),
    ...tenantFaults(given),
    ...clients.faults.map((fault) => `PORCHLIGHT_CLIENTS_FILE ${fault}`),
    ...apis.faults.map((fault) => `PORCHLIGHT_APIS_FILE ${fault}`),
    ...(isProduction ? productionFaults(given) : []),
  ];
  if (!parsed.success || faults.length > 0) throw refusal(faults);
  const values = parsed.data;

  const { HOST: host, PORT: port } = values;
  const publicUrl = (values.PORCHLIGHT_PUBLIC_URL ?? `http://localhost:${port}`).replace(
    /\/+$/,
    '',
  );
  return {
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
    mainImageMode: Number(values.PORCHLIGHT_MAIN_IMAGE_MODE) as 1 | 2 | 3,
    fullWidthPaths: values.PORCHLIGHT_FULL_WIDTH_PATHS,
    help: { phone: values.PORCHLIGHT_HELP_PHONE, email: values.PORCHLIGHT_HELP_EMAIL },
    countries: values.PORCHLIGHT_COUNTRIES,
    logosDirectory: values.PORCHLIGHT_LOGOS_DIR ?? null,
    modulesFile: values.PORCHLIGHT_MODULES_FILE ?? null,
    clients: clients.entries,
    apis: apis.entries,
    defaultAudience: values.PORCHLIGHT_DEFAULT_AUDIENCE ?? null,
    isPasswordGrantOn: values.PORCHLIGHT_PASSWORD_GRANT === 'on',
    metricsToken: values.PORCHLIGHT_METRICS_TOKEN ?? null,
    auditDays: values.PORCHLIGHT_AUDIT_DAYS,
    logLevel: values.LOG_LEVEL ?? (isProduction ? 'info' : 'warn'),
  };
}

/** What a production start needs and must not have; looked at as given, so that it is told with all other faults. */
function productionFaults(values: NodeJS.ProcessEnv): readonly string[] {
  const needs = [
    ['DATABASE_URL', values.DATABASE_URL, 'is required: the embedded database is for demos'],
    [
      'PORCHLIGHT_SECRET',
      values.PORCHLIGHT_SECRET,
      `is required: at least ${SECRET_BYTES} characters`,
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
  const secrets = new Set(values.PORCHLIGHT_SECRET);
  if (secrets.size > 0 && secrets.size < SECRET_VARIETY) {
    faults.push('PORCHLIGHT_SECRET can be guessed: make one with openssl rand -base64 48');
  }
  if (values.PORCHLIGHT_ENUMERATION === 'off') {
    faults.push('PORCHLIGHT_ENUMERATION off is for demo tests only');
  }
  return faults;
}

function refusal(faults: readonly string[]): OperatorError {
  return new OperatorError(
    [texts.badEnvironment, ...faults.map((fault) => `  - ${fault}`)].join('\n'),
  );
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

/** Published on every page: a private member would be published with it. */
const publicKeySchema = z
  .looseObject({ kty: z.literal('RSA'), n: z.string().min(342), e: z.string() })
  .refine((key) => !['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth'].some((member) => member in key), {
    message:
      'holds a private key, and everybody would see it: make a new pair, and name its public key only',
  });

const modulesSchema = z
  .array(
    z.strictObject({
      id: z.enum(MODULE_IDS),
      rootUrl: z.url({ protocol: /^https$/ }),
      loginUrl: z.url({ protocol: /^https$/ }),
      secretHash: z.string().regex(/^[\w-]{43}$/),
      sealedTo: publicKeySchema.nullable().default(null),
    }),
  )
  .refine((modules) => new Set(modules.map(({ id }) => id)).size === modules.length, {
    message: 'names a module twice',
  });

/**
 * Reads the operator's list of modules.
 * @throws OperatorError when the file is missing or wrong.
 */
export function loadModules(path: string): readonly ModuleConfig[] {
  try {
    return modulesSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new OperatorError(`PORCHLIGHT_MODULES_FILE ${path}: ${(error as Error).message}`);
  }
}
