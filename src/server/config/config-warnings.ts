import { isLoopbackHost } from '#domain/hand-off/loopback.ts';
import { nearest } from '#domain/text/nearest.ts';
import { fill } from '#locales/fill.ts';
import { configCommand } from '#locales/operator/config-command.ts';
import { CONFIG_FILE } from './config-file.ts';
import type { Called } from './production-faults.ts';
import { NO_PROXY, SETTINGS } from './settings.ts';

const PREFIX = 'PORCHLIGHT_';
/** Every name that the environment may hold. */
const NAMES: readonly string[] = [...Object.keys(SETTINGS), CONFIG_FILE];

/** Returns what is worth a look and stops nothing. `missing`: modules without an address. */
export function configWarnings(
  given: NodeJS.ProcessEnv,
  missing: readonly string[],
  called: Called,
): readonly string[] {
  const unknown = Object.keys(given).filter(
    (name) => name.startsWith(PREFIX) && !NAMES.includes(name),
  );
  const isProduction = given.PORCHLIGHT_MODE === 'production';
  const isHidden = isLoopbackHost(given.HOST ?? 'localhost');
  const hasTexts = given.TWILIO_ACCOUNT_SID ?? given.SMS_WEBHOOK_URL;
  return [
    ...unknown.map((name) => {
      // Beside the prefix, which makes all names alike.
      const bare = (each: string) => each.slice(PREFIX.length);
      const own = NAMES.filter((each) => each.startsWith(PREFIX)).map(bare);
      const near = nearest(bare(name), own);
      const guess =
        near === null ? '' : `${fill(configCommand.guess, { name: `${PREFIX}${near}` })} `;
      return fill(configCommand.unknown, { name, guess });
    }),
    ...(missing.length > 0
      ? [
          fill(configCommand.missingModules, {
            name: called('PORCHLIGHT_MODULES_FILE'),
            ids: missing.join(', '),
          }),
        ]
      : []),
    ...(isProduction && given.TRUSTED_PROXIES === NO_PROXY && isHidden
      ? [
          fill(configCommand.behindProxy, {
            proxies: called('TRUSTED_PROXIES'),
            host: called('HOST'),
          }),
        ]
      : []),
    ...(given.PORCHLIGHT_APP_CODES === 'on' && given.PORCHLIGHT_HOSTED_LOGIN_DOMAIN
      ? [configCommand.appCodesOff]
      : []),
    ...(isProduction && !hasTexts ? [configCommand.noTexts] : []),
  ];
}
