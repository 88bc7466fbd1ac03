import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SCREENS, type ScreenName } from '#domain/screens.ts';
import { SOURCES } from './sources.ts';

const loaders = readFileSync(new URL('screens.ts', import.meta.url), 'utf8');

test.each(Object.keys(SCREENS) as ScreenName[])(
  '%s is loaded from the file that the server names for it',
  (name) => {
    // The server preloads by this name; a wrong one would cost a visitor a round trip and no test would see it.
    expect(loaders).toContain(`${name}: () => import('./${SOURCES[name]}')`);
    expect(readFileSync(new URL(SOURCES[name], import.meta.url), 'utf8')).toContain(
      'export const screen: ScreenModule',
    );
  },
);
