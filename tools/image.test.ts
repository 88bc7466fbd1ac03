import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './processes.ts';
import { SERVER_NODE_OPTIONS, serverEnv } from './setup/server-env.mjs';

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

test('[OPS-69] the image has the schema where "$schema" of a written porchlight.json leads', () => {
  const [, place] = /packageFile\('(docs\/[\w.]+)'\)/.exec(read('src/cli/settings-file.ts')) ?? [];
  expect(place).toBe('docs/porchlight.schema.json');
  const image = read('Dockerfile')
    .split(/^FROM /m)
    .at(-1);
  expect(image).toMatch(/^WORKDIR \/app$/m);
  expect(image).toMatch(new RegExp(`^COPY ${place} ./docs/$`, 'm'));
  expect(read('.dockerignore').split('\n')).toContain(`!${place}`);
});

test('[S9] the image and the unit of systemd start the server with the flags of npm start', () => {
  const said = `NODE_OPTIONS=${SERVER_NODE_OPTIONS}`;
  expect(read('Dockerfile')).toContain(`\nENV ${said}\n`);
  // Before the operator's file, which has the last word.
  expect(read('deploy/systemd/porchlight.service')).toMatch(
    new RegExp(`^Environment=${said}$[^]*^EnvironmentFile=`, 'm'),
  );
});

test('[OPS-69] the image, the unit of systemd and npm start run the same file', () => {
  const file = 'dist/server/main.js';
  expect(read('Dockerfile')).toMatch(new RegExp(`^CMD \\["node", "${file}"\\]$`, 'm'));
  expect(read('deploy/systemd/porchlight.service')).toMatch(
    new RegExp(`^ExecStart=\\S+/node ${file}$`, 'm'),
  );
  expect(read('tools/setup.mjs')).toMatch(new RegExp(`start: \\{\\s+script: '${file}'`));
});

test("[S9] the operator's NODE_OPTIONS have the last word", () => {
  const given = '--max-semi-space-size=32';
  expect(serverEnv(ROOT, { NODE_OPTIONS: given }).NODE_OPTIONS).toBe(
    `${SERVER_NODE_OPTIONS} ${given}`,
  );
});
