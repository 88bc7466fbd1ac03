import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './processes.ts';
import { imageOf } from './release.ts';

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const compose = read('deploy/compose.production.yaml');
const { version } = JSON.parse(read('package.json')) as { version: string };

/** The lines below a key, as they are indented. */
const below = (key: string) =>
  new RegExp(`^( *)${key}:.*\\n((?:\\1 +.*\\n)*)`, 'm').exec(compose)?.[2] ?? '';

test('[OPS-106] the compose file of production runs this release, locked in, on the settings of init', () => {
  const instance = below('porchlight-1');
  for (const line of [
    `image: ${imageOf(version)}`,
    "user: '1000:1000'",
    'read_only: true',
    'cap_drop: [ALL]',
    "security_opt: ['no-new-privileges:true']",
    'tmpfs: [/tmp]',
    "volumes: ['/etc/porchlight:/etc/porchlight:ro']",
    'command: [porchlight, serve, --settings, /etc/porchlight/porchlight.env]',
  ]) {
    expect(instance).toContain(`    ${line}\n`);
  }
  expect(below('porchlight-2')).toContain('<<: *instance\n');
});

test('[OPS-106] nothing but this machine reaches an instance, and nothing outside reaches the database', () => {
  const ports = [...compose.matchAll(/^ +ports: (.*)$/gm)].map(([, all]) => all);
  expect(ports).toEqual(["['127.0.0.1:3001:3000']", "['127.0.0.1:3002:3000']"]);
  expect(below('database')).not.toContain('ports:');
});

test('[OPS-106] the compose file of production holds no secret, and the guide makes the file that has it', () => {
  expect(compose).not.toMatch(/(?:PASSWORD|SECRET|_URL|_KEY):/);
  const file = /POSTGRES_PASSWORD_FILE: \/run\/secrets\/(\S+)/.exec(compose)?.[1] ?? '';
  expect(file).not.toBe('');
  const place = /file: (\S+)/.exec(below('secrets'))?.[1] ?? '';
  expect(compose).toContain(`secrets: [${file}]`);
  const guide = read('docs/operations/deploy.md');
  expect(guide).toContain(place);
  expect(guide).toContain('-f deploy/compose.production.yaml');
});
