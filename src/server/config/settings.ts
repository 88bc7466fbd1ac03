/**
 * The one table of settings: `porchlight.json`, the environment, docs/configuration.md and the published schema all
 * come from it. Their words are in `#locales/operator/settings.ts`.
 */

import { readdirSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import * as z from 'zod';
import { parseConsoleGrant, type SettingRole } from '#domain/help-desk/console-rights.ts';
import { parseOpeningHours } from '#domain/text/opening-hours.ts';
import { STEP_GAP_MS } from '#domain/flow/step-gap.ts';
import { LANGUAGES } from '#locales/languages.ts';
import { tenantSettings } from './auth0-tenant-config.ts';
import { apiSchema, clientSchema } from './client-file.ts';
import { addressText } from './credentials.ts';
import { deliverySettings } from './delivery-config.ts';
import { limitsSchema } from './limits.ts';
import { modulesSchema } from './modules-file.ts';
import { originSchema } from './origin.ts';
import { document, file, json, list, number, secret, setting, toggle, whole } from './setting.ts';
import { isDatabaseUrl } from './database-url.ts';
import { timerSettings } from './timers.ts';
import { tracesSettings } from './traces-config.ts';

export const SECRET_BYTES = 32;
/** Visitors would all share the proxy's address, and its limits: that there is no proxy has to be said. */
export const NO_PROXY = 'none';
export const DEMO_HELP = {
  PORCHLIGHT_HELP_PHONE: '+1 555 010 0199',
  PORCHLIGHT_HELP_EMAIL: 'help@demo.porchlight.test',
} as const;

const onOff = z.enum(['on', 'off']);

const separated = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  );

const consoleGrants = (role: SettingRole) =>
  separated.refine(
    (items) => items.every((item) => parseConsoleGrant(role, item) !== null),
    'must be roles of a subtenant such as 742:3, or accounts such as account:17',
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

export const SETTINGS = {
  PORCHLIGHT_MODE: setting('mode', z.enum(['demo', 'production']).default('demo')),

  HOST: setting('server.host', z.string().default('localhost')),
  PORT: number('server.port', whole(0, 65_535).default(3000)),
  PORCHLIGHT_PUBLIC_URL: setting('server.publicUrl', originSchema.optional()),
  TRUSTED_PROXIES: list(
    'server.trustedProxies',
    separated.refine(
      (proxies) => proxies.every(isProxy),
      `must be ${NO_PROXY}, or addresses such as 10.0.0.1, 10.0.0.0/8 or loopback`,
    ),
  ),
  PORCHLIGHT_DRAIN_SECONDS: number('server.drainSeconds', whole(0, 60).optional()),
  LOG_LEVEL: setting(
    'server.logLevel',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).optional(),
  ),

  DATABASE_URL: setting(
    'database.url',
    addressText.refine(isDatabaseUrl, 'is no address of PostgreSQL').optional(),
  ),
  PORCHLIGHT_DATABASE_POOL: number('database.pool', whole(2, 200).default(10)),
  PORCHLIGHT_DATA_DIR: file('database.directory', z.string().min(1).default('data')),

  PORCHLIGHT_SECRET: secret('keys.secret', z.string().min(SECRET_BYTES).optional()),
  PORCHLIGHT_SECRET_FILE: file('keys.secretFile', z.string().optional()),
  PORCHLIGHT_PREVIOUS_SECRETS: secret('keys.previousSecrets', secretList),
  PORCHLIGHT_KEY_ROTATION_DAYS: number('keys.rotationDays', whole(7, 3650).default(90)),

  ...deliverySettings,
  PORCHLIGHT_LEAD_DAYS: number('crm.keepLeadsDays', whole(1, 3650).default(30)),

  ...tenantSettings,

  PORCHLIGHT_MODULES_FILE: document('modules', modulesSchema({ isDemo: false })),
  PORCHLIGHT_CLIENTS_FILE: document('clients', z.array(clientSchema({ isDemo: false }))),
  PORCHLIGHT_APIS_FILE: document('apis', z.array(apiSchema)),
  PORCHLIGHT_DEFAULT_AUDIENCE: setting(
    'oauth.defaultAudience',
    z.string().min(1).max(200).optional(),
  ),
  PORCHLIGHT_PASSWORD_GRANT: toggle('oauth.passwordGrant', onOff.default('off')),

  PORCHLIGHT_APP_CODES: toggle('signIn.appCodes', onOff.optional()),
  PORCHLIGHT_KEYS: toggle('signIn.keys', onOff.default('on')),
  PORCHLIGHT_KEYS_AUTOMATIC: toggle('signIn.keysAutomatic', onOff.default('off')),
  PORCHLIGHT_RP_ID: setting('signIn.rpId', z.hostname().optional()),
  PORCHLIGHT_RP_ID_CHANGE: setting(
    'signIn.rpIdChange',
    z.enum(['refuse', 'accept']).default('refuse'),
  ),

  PORCHLIGHT_LIMITS: json('limits', limitsSchema),
  ...timerSettings,
  PORCHLIGHT_ENUMERATION: setting(
    'enumeration',
    z.enum(['balanced', 'strict', 'off']).default('balanced'),
  ),
  PORCHLIGHT_CAPTCHA: setting('captcha.when', z.enum(['pressure', 'always']).default('pressure')),
  PORCHLIGHT_CAPTCHA_WORK: number('captcha.work', whole(1, 100_000).default(100)),

  PORCHLIGHT_COUNTRIES: list('portal.countries', separated),
  PORCHLIGHT_LANGUAGES: list(
    'portal.languages',
    separated.refine(
      (codes) => codes.every((code) => Object.hasOwn(LANGUAGES, code)),
      `must be of ${Object.keys(LANGUAGES).join(', ')}`,
    ),
  ),
  PORCHLIGHT_MAIN_IMAGE_MODE: number('portal.mainImageMode', whole(1, 3).default(1)),
  PORCHLIGHT_STEP_GAP_MS: number(
    'portal.stepGapMs',
    whole(0, STEP_GAP_MS.most).default(STEP_GAP_MS.usual),
  ),
  PORCHLIGHT_FULL_WIDTH_PATHS: list('portal.fullWidthPaths', separated),
  PORCHLIGHT_LOGOS_DIR: file(
    'portal.logosDirectory',
    z.string().refine(isDirectory, 'is no readable directory').optional(),
  ),
  PORCHLIGHT_TIME_ZONE: setting(
    'portal.timeZone',
    z.string().refine(isTimeZone, 'is no time zone').optional(),
  ),
  PORCHLIGHT_HELP_PHONE: setting('help.phone', z.string().default(DEMO_HELP.PORCHLIGHT_HELP_PHONE)),
  PORCHLIGHT_HELP_EMAIL: setting('help.email', z.string().default(DEMO_HELP.PORCHLIGHT_HELP_EMAIL)),
  PORCHLIGHT_HELP_HOURS: setting(
    'help.hours',
    z
      .string()
      .refine(
        (text) => parseOpeningHours(text) !== null,
        'must be like Mon-Fri 8:00-18:00, Sat 9:00-12:00',
      )
      .optional(),
  ),

  PORCHLIGHT_CONSOLE_HELP_DESK: list('console.helpDesk', consoleGrants('helpDesk')),
  PORCHLIGHT_CONSOLE_OPERATORS: list('console.operators', consoleGrants('operator')),

  PORCHLIGHT_AUDIT_DAYS: number('audit.days', whole(30, 36_500).default(365)),
  PORCHLIGHT_METRICS_TOKEN: secret(
    'metrics.token',
    z.string().min(SECRET_BYTES).regex(/^\S+$/, 'has a space in it').optional(),
  ),

  ...tracesSettings,
};
