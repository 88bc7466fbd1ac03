/** `porchlight doctor`: finds the faults of a running installation. It changes nothing. */

import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isEmail } from '#domain/typed/validation.ts';
import { doctorCommand as texts } from '#locales/operator/doctor-command.ts';
import { fill } from '#locales/fill.ts';
import { type Config, readConfig } from '#server/config/config.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { lookAtModules } from '#server/hand-off/module-check.ts';
import { type CommandOf, type Installation, type Output, output } from '../command.ts';
import { bad, type Finding, good } from '#server/core/finding.ts';
import { ENVIRONMENT_FILE } from '../installation.ts';
import { lookAtMail, lookAtProviders, lookFromOutside } from './network.ts';
import { lookAtDatabase } from './database.ts';

export const doctor: CommandOf<'doctor'> = {
  ''(_, { mail = null }) {
    if (mail !== null && !isEmail(mail)) throw new OperatorError(fill(texts.badMail, { mail }));
    return async (at) => report(await look(at, mail));
  },
};

/** Without one nobody opens the operators' pages of /console. */
const lookAtOperators = async ({ console: grants }: Config): Promise<readonly Finding[]> => [
  grants.some(({ role }) => role === 'operator')
    ? good('operators', texts.operators)
    : bad('warning', 'operators', 'noOperators'),
];

const OTHERS_READ = 0o004;
const OTHERS_ENTER = 0o001;

/**
 * Returns a warning for each file with secrets that every user of this machine can read. No fault: a container's secrets are
 * mounted like that, and no other user reads there.
 */
function lookAtFiles(files: readonly string[]): readonly Finding[] {
  const open = files.filter(
    (file) =>
      existsSync(file) &&
      (statSync(file).mode & OTHERS_READ) !== 0 &&
      (statSync(dirname(file)).mode & OTHERS_ENTER) !== 0,
  );
  return open.length > 0
    ? open.map((file) => bad('warning', 'files', 'openFile', { file }))
    : [good('files', texts.files)];
}

const LOOKS: readonly ((config: Config, mail: string | null) => Promise<readonly Finding[]>)[] = [
  lookAtDatabase,
  lookAtMail,
  lookAtProviders,
  lookAtOperators,
  lookAtModules,
  lookFromOutside,
];

export function report(findings: readonly Finding[]): Output {
  const count = (state: string) => findings.filter((each) => each.state === state).length;
  const lines = findings.map((each) => fill(texts[each.state], each));
  const counts = { faults: count('fault'), warnings: count('warning') };
  return output([...lines, fill(texts.done, counts)], findings, counts.faults > 0);
}

/** Returns the settings, when they have no fault, and what there is to say of them. */
export function lookAtSettings(env: NodeJS.ProcessEnv) {
  const { config, faults, warnings } = readConfig(env);
  const findings: readonly Finding[] = [
    ...(config ? [good('settings', texts.settings)] : []),
    ...faults.map((text) => bad('fault', 'settings', 'badSetting', { text })),
    ...warnings.map((text) => bad('warning', 'settings', 'setting', { text })),
  ];
  return { config, findings };
}

async function look(at: Installation, mail: string | null): Promise<readonly Finding[]> {
  const { config, findings: ofSettings } = lookAtSettings(at.env());
  if (!config) return ofSettings;
  // The file of the settings may be missing.
  const secrets = at.settingsFile ?? ENVIRONMENT_FILE;
  const findings = [...ofSettings, ...lookAtFiles([secrets, ...config.secretFiles])];
  for (const lookAt of LOOKS) findings.push(...(await lookAt(config, mail)));
  return findings;
}
