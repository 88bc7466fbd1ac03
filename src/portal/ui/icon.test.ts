import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

it('has a shape for every name of an icon, and no shape without a name', () => {
  const names = [...read('icon.tsx').matchAll(/^ {2}\| '([\w-]+)'/gm)].map(([, name]) => name);
  const shapes = [...read('../assets/icons.svg').matchAll(/id="i-([\w-]+)"/g)].map(([, id]) => id);
  expect(names.length).toBeGreaterThan(20);
  expect(new Set(shapes)).toEqual(new Set(names));
});
