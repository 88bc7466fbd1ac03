/** [OPS-92] Words of a command line that are wrong, or written another way. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openInstallation } from './installation.ts';
import { rolesIn } from './person-words.ts';
import { names, subVerbsOf } from './program.ts';
import { readCommand } from './verbs.ts';

test.each([
  ['user shw x', "Unknown command 'shw' (Did you mean show?)"],
  ['user nothing-like-it x', "Unknown command 'nothing-like-it'"],
  ['user list --cont 3', "Unknown option '--cont' (Did you mean --count?)"],
  ['user list --bogus', "Unknown option '--bogus'"],
  ['user list --count', "Option '--count <N>' argument missing"],
  ['user list more', "Too many arguments for 'list'. Expected 0 arguments but got 1: more."],
  ['user show', "Missing required argument 'EMAIL|ID'"],
  ['user list --status old', 'Allowed choices are active, pending, inactive.'],
  ['user erase a@b.test --yes=1', "Unknown option '--yes=1' (Did you mean --yes?)"],
  ['user set a@b.test', 'Nothing was changed: name at least one option.'],
  ['user roles a@b.test', 'Nothing was changed: name --give or --take.'],
])('porchlight %s: says what is wrong, and then how it is meant', (line, fault) => {
  const next = fault.endsWith('?)') ? 'More: porchlight help user' : 'Usage:\n  porchlight user';
  expect(() => readCommand(line.split(' '))).toThrow(`${fault}\n${next}`);
});

test('N10: each verb that has words of its own says which one is near', () => {
  for (const name of names.filter((each) => subVerbsOf(each).length > 1)) {
    const [first = ''] = subVerbsOf(name);
    const said = `Unknown command '${first}x' (Did you mean ${first}?)\nMore: porchlight help ${name}`;
    expect(() => readCommand([name, `${first}x`])).toThrow(said);
  }
});

test.each([
  [['4'], [4]],
  [['04'], [4]],
  [['Admin'], [4]],
  [
    ['event-counter', 'EVENT COUNTER', '6'],
    [6, 6, 6],
  ],
])('roles by name or number: %j', (words, ids) => {
  expect(rolesIn(words)).toEqual(ids);
});

test('a word that is no role: the roles there are, with their names', () => {
  expect(() => rolesIn(['Boss'])).toThrow('Boss is no role. There are: 1 Member, 2 Guest, 3 Staff');
});

test.each([
  [['user', 'list', '--settings=a.env'], 'a.env'],
  [['--settings', 'a.env', 'user', 'list'], 'a.env'],
  [['user', 'list'], null],
])('settings of %j', (words, settingsFile) => {
  expect(readCommand(words).settingsFile).toBe(settingsFile);
});

test.each([
  [['--settings=']],
  [['--settings', '--json']],
  [['user', 'list', '--settings', '--json']],
])('no file is named: %j', (words) => {
  expect(() => readCommand(words)).toThrow('--settings needs the name of a file.');
});

test('--json alone asks for nothing', () => {
  expect(() => readCommand(['--json'])).toThrow('Usage:\n  porchlight VERB');
});

test.each([[['--version']], [['-v', '--json']]])('the version: %j', async (words) => {
  const { text, data } = await readCommand(words).run(openInstallation(null));
  expect(text).toMatch(/^porchlight \d+\.\d+\.\d+\n$/);
  expect(text).toContain((data as { version: string }).version);
});

describe('porchlight.env of the working directory', () => {
  const before = process.cwd();
  const directory = mkdtempSync(path.join(tmpdir(), 'porchlight-words-'));
  afterEach(() => {
    process.chdir(before);
    rmSync(directory, { recursive: true, force: true });
  });

  test('is read where no other file is named', () => {
    process.chdir(directory);
    writeFileSync('porchlight.env', 'SMTP_URL=smtp://here\n');
    writeFileSync('other.env', 'SMTP_URL=smtp://there\n');
    expect(openInstallation(null).env().SMTP_URL).toBe('smtp://here');
    expect(openInstallation('other.env').env().SMTP_URL).toBe('smtp://there');
  });
});
