import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { initCommand as texts } from '#locales/en/init-command.ts';
import { SETTINGS } from '../config/settings.ts';

const OWNER_ONLY = 0o600;
const SECRET_BYTES = 48;

/** Writes a file that only its owner reads, unless there is one. @returns whether it was written */
function writeOnce(path: string, content: () => string): boolean {
  try {
    writeFileSync(path, content(), { mode: OWNER_ONLY, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** @returns whether it was written */
export const writeSecret = (path: string): boolean =>
  writeOnce(path, () => `${randomBytes(SECRET_BYTES).toString('base64url')}\n`);

/** The settings that a production needs, to be filled in, and every other one as a comment. @returns whether it was written */
export const writeSettings = (path: string, secretFile: string): boolean =>
  writeOnce(path, () => settingsText(secretFile));

function settingsText(secretFile: string): string {
  const given: Readonly<Record<string, string>> = {
    PORCHLIGHT_MODE: 'production',
    HOST: '0.0.0.0',
    PORCHLIGHT_SECRET_FILE: secretFile,
  };
  const needed = Object.entries(texts.needed).flatMap(([name, comment]) => [
    `# ${comment}`,
    `${name}=${given[name] ?? ''}`,
    '',
  ]);
  const rest = Object.keys(SETTINGS)
    .filter((name) => !(name in texts.needed))
    .map((name) => `#${name}=`);
  return [texts.top, '', ...needed, texts.rest, ...rest, ''].join('\n');
}
