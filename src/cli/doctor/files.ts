import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { doctorCommand as texts } from '#locales/operator/doctor-command.ts';
import { bad, type Finding, good } from '#server/administration/finding.ts';

const OTHERS_READ = 0o004;
const OTHERS_ENTER = 0o001;

/**
 * Returns a warning for each file with secrets that every user of this machine can read. No fault: a container's secrets are
 * mounted like that, and no other user reads there.
 */
export function lookAtFiles(files: readonly string[]): readonly Finding[] {
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
