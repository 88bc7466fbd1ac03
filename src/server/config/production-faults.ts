import { STEP_GAP_MS } from '#domain/flow/step-gap.ts';
import { DEMO_HELP, NO_PROXY, SECRET_BYTES } from './settings.ts';
/** Different characters that a random secret has: hexadecimal ones have no more than 16. */
export const SECRET_VARIETY = 10;

export type Called = (name: string, at?: readonly PropertyKey[]) => string;

/** Hours without a zone could be any. */
export const hoursFaults = (given: NodeJS.ProcessEnv, called: Called): readonly string[] =>
  given.PORCHLIGHT_HELP_HOURS && !given.PORCHLIGHT_TIME_ZONE
    ? [`${called('PORCHLIGHT_HELP_HOURS')} needs ${called('PORCHLIGHT_TIME_ZONE')}`]
    : [];

/** What a production start needs and must not have; looked at as given, so that it is told with all other faults. */
export function productionFaults(values: NodeJS.ProcessEnv, called: Called): readonly string[] {
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
  const faults = needs
    .filter(([, value]) => !value)
    .map(([name, , why]) => `${called(name)} ${why}`);
  if (values.PORCHLIGHT_PUBLIC_URL && !values.PORCHLIGHT_PUBLIC_URL.startsWith('https://')) {
    faults.push(`${called('PORCHLIGHT_PUBLIC_URL')} must begin with https://`);
  }
  if (values.PORCHLIGHT_EVENTS_URL && !values.PORCHLIGHT_EVENTS_URL.startsWith('https://')) {
    faults.push('PORCHLIGHT_EVENTS_URL must begin with https://');
  }
  const secrets = new Set(values.PORCHLIGHT_SECRET);
  if (secrets.size > 0 && secrets.size < SECRET_VARIETY) {
    faults.push(
      `${called('PORCHLIGHT_SECRET')} can be guessed: make one with openssl rand -base64 48`,
    );
  }
  for (const [name, value] of Object.entries(DEMO_HELP)) {
    if (values[name] === value) faults.push(`${called(name)} is the demo's: name your own`);
  }
  if (Number(values.PORCHLIGHT_STEP_GAP_MS ?? STEP_GAP_MS.usual) < STEP_GAP_MS.least) {
    faults.push(
      `${called('PORCHLIGHT_STEP_GAP_MS')} under ${STEP_GAP_MS.least} is for demo tests only`,
    );
  }
  if (values.PORCHLIGHT_ENUMERATION === 'off') {
    faults.push(`${called('PORCHLIGHT_ENUMERATION')} off is for demo tests only`);
  }
  return faults;
}
