import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './processes.ts';
import { RUN_TIME_FILES } from './release.ts';
import { SERVER_NODE_OPTIONS, serverEnv } from './setup/server-env.mjs';

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

/** The last stage, a line an instruction. */
const image = (
  read('Dockerfile')
    .split(/^FROM /m)
    .at(-1) ?? ''
).replaceAll('\\\n', '');
/** Where each file and folder of the checkout, or of the build, is copied to. */
const copies = [...image.matchAll(/^COPY (?:--from=build \/app\/)?(\S+) \.\/(\S*)$/gm)].map(
  ([, from = '', to = '']): [string, string] => [
    from,
    path.join(to, /(?:^|\/)$/.test(to) ? path.basename(from) : ''),
  ],
);
const places = new Map(copies);

test('[OPS-69] image and release have each file that the server and the command line read', () => {
  const sources = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const named = sources
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
    .flatMap((file) => [...read(`src/${file}`).matchAll(/packageFile\('([^']+)'\)/g)])
    .map(([, file = '']) => file);
  expect(named).toContain('docs/porchlight.schema.json');
  expect(named.filter((file) => file !== 'dist').toSorted()).toEqual(RUN_TIME_FILES);
  expect(image).toMatch(/^WORKDIR \/app$/m);
  expect([...places.keys()].toSorted()).toEqual(
    ['LICENSE', 'dist', 'node_modules', 'package.json', ...RUN_TIME_FILES].toSorted(),
  );
  for (const [from, to] of places) expect(to).toBe(from);
});

test('[OPS-99] every file that the Dockerfile copies is in the checkout, and reaches the engine', () => {
  const allowed = read('.dockerignore').match(/(?<=^!).+/gm) ?? [];
  const isAllowed = (file: string) =>
    allowed.some((each) => file === each || file.startsWith(`${each}/`));
  const named = [...read('Dockerfile').matchAll(/^COPY ((?!--|\. ).+) \S+$/gm)].flatMap(
    ([, files = '']) => files.split(' '),
  );
  expect(named).toContain('LICENSE');
  expect(named.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  expect(named.filter((file) => !isAllowed(file))).toEqual([]);
});

test('[OPS-99] the image says what it is, runs as uid 1000, and is asked whether it is well', () => {
  for (const label of ['title', 'description', 'licenses', 'version', 'revision', 'source']) {
    expect(image).toMatch(
      new RegExp(`^LABEL .*\\borg\\.opencontainers\\.image\\.${label}=\\S`, 'm'),
    );
  }
  expect(image).toContain('org.opencontainers.image.licenses=Apache-2.0');
  expect(image).toMatch(/^USER 1000:1000$/m);
  expect(image).toMatch(/^HEALTHCHECK .*\/api\/health\/live/m);
  expect(image).toMatch(/^RUN rm -rf .*\/usr\/local\/bin\/npm /m);
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
    // The machine's own Node: production packages have none.
    new RegExp(`^ExecStart=/usr/bin/env node ${file}$`, 'm'),
  );
  expect(read('tools/setup.mjs')).toMatch(new RegExp(`start: \\{\\s+script: '${file}'`));
});

test("[S9] the operator's NODE_OPTIONS have the last word", () => {
  const given = '--max-semi-space-size=32';
  expect(serverEnv(ROOT, { NODE_OPTIONS: given }).NODE_OPTIONS).toBe(
    `${SERVER_NODE_OPTIONS} ${given}`,
  );
});
