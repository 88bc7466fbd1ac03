import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SCREENS, type ScreenName } from '#domain/flow/screens.ts';
import { screenFile } from './screen-file.ts';

const loaders = readFileSync(new URL('screens.ts', import.meta.url), 'utf8');

test.each(Object.keys(SCREENS) as ScreenName[])(
  '%s is loaded from the file that its name leads to',
  (name) => {
    // The server preloads that file; a wrong one would cost a visitor a round trip and no other test would see it.
    const file = screenFile(name);
    expect(loaders).toContain(`${name}: () => import('./${file}')`);
    expect(readFileSync(new URL(file, import.meta.url), 'utf8')).toContain(
      'export const screen: ScreenModule',
    );
  },
);
