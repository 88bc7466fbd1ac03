import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { configSchema, settingRows } from '#server/config/config-schema.ts';
import { readConfig } from '#server/config/config.ts';
import { runCommand } from '#server/testing/command.ts';
import { writeSecret, writeSettings } from './settings-file.ts';

const directories: string[] = [];
let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'porchlight-cli-config-'));
  directories.push(cwd);
});
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});
const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
const run = (...words: string[]) => runCommand({}, ...words, { cwd });

describe('[OPS-54] the commands read porchlight.json', () => {
  test('of the folder where they stand, and tell all its faults at once', async () => {
    write('porchlight.json', '{\n  "server": { "prot": 1 },\n  "crm": { "key": "canary" },\n}');
    const checked = await run('config', 'check');
    expect(checked).toMatchObject({ code: 1, err: '' });
    expect(checked.out).toMatch(/^FAULT: .*:3 crm\.key: .*\nWARNING: .*:2 server\.prot: .*port/i);
    expect(checked.out).not.toContain('canary');
    const looked = await run('doctor');
    expect(looked.code).toBe(1);
    expect(looked.out).toContain('porchlight.json:3 crm.key');
    const none = await runCommand({ PORCHLIGHT_CONFIG: 'none' }, 'config', 'check', { cwd });
    expect(none).toMatchObject({ code: 0, out: 'No faults. Warnings: 0.\n' });
  });

  test('that --settings names, or the environment that it names', { tags: 'long' }, async () => {
    write('other.json', '{ "mode": "staging" }');
    write('with-config.env', 'PORCHLIGHT_CONFIG=other.json\n');
    for (const name of ['other.json', 'with-config.env']) {
      const { code, out } = await run('config', 'check', '--settings', name);
      expect([name, code, out]).toEqual([name, 1, expect.stringContaining('other.json:1 mode: ')]);
    }
  });
});

test(
  '[ARC-01] the check and the start refuse an address with a path, and say what to write',
  { tags: 'long' },
  async () => {
    write('porchlight.json', '{ "server": { "publicUrl": "https://login.example.org/auth" } }');
    const says =
      'server.publicUrl: must be an origin, without path, query, fragment, user name or password: write https://login.example.org';
    const checked = await run('config', 'check');
    expect(checked).toMatchObject({ code: 1, out: expect.stringContaining(says) as string });
    const started = await run('serve');
    expect(started).toMatchObject({ code: 1, err: expect.stringContaining(says) as string });
  },
);

test('[CON-23] the check tells of a file that may be no logo', { tags: 'long' }, async () => {
  mkdirSync(join(cwd, 'logos'));
  write('logos/own.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>');
  write('porchlight.json', '{ "portal": { "logosDirectory": "logos" } }');
  const says = `FAULT: ${join(cwd, 'logos', 'own.svg')} has code in it`;
  const checked = await run('config', 'check');
  expect(checked).toMatchObject({ code: 1, out: expect.stringContaining(says) as string });
});

test('[OPS-55] porchlight config schema prints the schema', { tags: 'long' }, async () => {
  const { code, out } = await run('config', 'schema');
  expect([code, JSON.parse(out)]).toEqual([0, configSchema()]);
});

describe('[OPS-55] the file that porchlight init writes', () => {
  const names = () => ({
    secretFile: join(cwd, 'porchlight.secret'),
    configFile: join(cwd, 'porchlight.json'),
    environmentFile: join(cwd, 'porchlight.env'),
  });
  const faultsOf = (text: string) => {
    write('porchlight.json', text);
    return readConfig({ PORCHLIGHT_CONFIG: names().configFile }).faults;
  };
  const namesIn = (faults: readonly string[]) =>
    faults.map((fault) => /[\w.]+(?= is required| \(or)/.exec(fault)?.[0]);

  test('N21: has every setting once, with its words; what is off has its default', () => {
    const files = names();
    expect(writeSecret(files)).toBe(true);
    expect(writeSettings(files)).toEqual([
      files.configFile,
      join(cwd, 'modules.json'),
      files.environmentFile,
    ]);
    const text = readFileSync(files.configFile, 'utf8');
    const secrets = readFileSync(files.environmentFile, 'utf8');
    for (const { name, path, isSecret, meaning } of settingRows()) {
      const key = path.split('.').at(-1) ?? '';
      const entry = isSecret ? `#${name}=` : `// ${meaning}\n`;
      if (name === 'PORCHLIGHT_SECRET') continue;
      expect([name, (isSecret ? secrets : text).includes(entry)]).toEqual([name, true]);
      expect([name, !isSecret && !new RegExp(`^ *(// )?"${key}": `, 'm').test(text)]).toEqual([
        name,
        false,
      ]);
    }
    const needed = namesIn(faultsOf(text));
    expect(needed).toHaveLength(7);
    // The release before may not know a section: what is empty stands nowhere.
    expect(text).not.toMatch(/^ *"\w+": \{\s*(\/\/.*\s*)*\}/m);
    const allOn = text.replaceAll(/^( *)\/\/ (?="|\},)/gm, '$1');
    expect(allOn).not.toBe(text);
    // A name of a connection belongs to a tenant.
    expect(namesIn(faultsOf(allOn))).toEqual(['hostedLogin.domain', ...needed]);
  });

  test('N15: its commented defaults are those of a production, and the server listens to its own machine', () => {
    const files = names();
    writeSecret(files);
    writeSettings(files);
    const text = readFileSync(files.configFile, 'utf8');
    for (const line of [
      '"host": "127.0.0.1"',
      '"drainSeconds": 5',
      '"logLevel": "info"',
      '"countries": ["US"]',
    ])
      expect(text).toContain(line);
  });

  test('is not written beside an environment that is there already, nor over a file', () => {
    const files = names();
    write('porchlight.env', 'PORCHLIGHT_MODE=production\n');
    expect(writeSettings(files)).toEqual([]);
    rmSync(files.environmentFile);
    write('porchlight.json', '{}');
    expect(writeSettings(files)).toEqual([files.environmentFile]);
    expect(readFileSync(files.configFile, 'utf8')).toBe('{}');
  });
});
