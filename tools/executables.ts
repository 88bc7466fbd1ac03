import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** The first of these programs that PATH has. */
export function onPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return names
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .find(isExecutable);
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Where macOS keeps the program of an app, for everybody and for one person. */
export function inMacApp(app: string, program = app): string[] {
  return ['/Applications', path.join(process.env.HOME ?? '/', 'Applications')].map(
    (folder) => `${folder}/${app}.app/Contents/MacOS/${program}`,
  );
}
