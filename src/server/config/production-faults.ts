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

/** What a production start needs, each with the reason. */
const REQUIRED = {
  DATABASE_URL: 'the embedded database is for demos',
  PORCHLIGHT_SECRET: `at least ${SECRET_BYTES} characters, or PORCHLIGHT_SECRET_FILE`,
  PORCHLIGHT_PUBLIC_URL: 'the https address of the portal',
  SMTP_URL: 'codes must reach people',
  MAIL_FROM: 'who the mails are from',
  PORCHLIGHT_MODULES_FILE: 'where the modules are',
  PORCHLIGHT_HELP_PHONE: 'whom visitors can call',
  PORCHLIGHT_HELP_EMAIL: 'whom visitors can write to',
  TRUSTED_PROXIES: `the addresses of the proxies in front, or ${NO_PROXY} when visitors reach this server directly`,
};

const isOpen = (url: string | undefined) => Boolean(url) && !url?.startsWith('https://');

/** What a production start needs and must not have; looked at as given, so that it is told with all other faults. */
export function productionFaults(values: NodeJS.ProcessEnv, called: Called): readonly string[] {
  const variety = new Set(values.PORCHLIGHT_SECRET).size;
  const stepGap = Number(values.PORCHLIGHT_STEP_GAP_MS ?? STEP_GAP_MS.usual);
  const rules: readonly (readonly [isFault: boolean, words: string])[] = [
    ...Object.entries(REQUIRED).map(
      ([name, why]) => [!values[name], `${called(name)} is required: ${why}`] as const,
    ),
    [
      isOpen(values.PORCHLIGHT_PUBLIC_URL),
      `${called('PORCHLIGHT_PUBLIC_URL')} must begin with https://`,
    ],
    [isOpen(values.PORCHLIGHT_EVENTS_URL), 'PORCHLIGHT_EVENTS_URL must begin with https://'],
    [
      variety > 0 && variety < SECRET_VARIETY,
      `${called('PORCHLIGHT_SECRET')} can be guessed: make one with openssl rand -base64 48`,
    ],
    ...Object.entries(DEMO_HELP).map(
      ([name, value]) =>
        [values[name] === value, `${called(name)} is the demo's: name your own`] as const,
    ),
    [
      stepGap < STEP_GAP_MS.least,
      `${called('PORCHLIGHT_STEP_GAP_MS')} under ${STEP_GAP_MS.least} is for demo tests only`,
    ],
    [
      values.PORCHLIGHT_ENUMERATION === 'off',
      `${called('PORCHLIGHT_ENUMERATION')} off is for demo tests only`,
    ],
  ];
  return rules.flatMap(([isFault, words]) => (isFault ? [words] : []));
}
