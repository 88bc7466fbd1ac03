import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './processes.ts';

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

test('[OPS-69] the image has the schema where "$schema" of a written porchlight.json leads', () => {
  const [, place] =
    /'(?:\.\.\/){3}(docs\/[\w.]+)', import/.exec(read('src/server/cli/settings-file.ts')) ?? [];
  expect(place).toBe('docs/porchlight.schema.json');
  const image = read('Dockerfile')
    .split(/^FROM /m)
    .at(-1);
  expect(image).toMatch(/^WORKDIR \/app$/m);
  expect(image).toMatch(new RegExp(`^COPY ${place} ./docs/$`, 'm'));
  expect(read('.dockerignore').split('\n')).toContain(`!${place}`);
});
