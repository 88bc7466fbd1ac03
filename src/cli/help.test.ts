import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commands } from '#locales/operator/commands.ts';
import { type VerbName, verbs } from '#locales/operator/verbs.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { runCommand } from '#server/testing/command.ts';
import { ROOT } from '#server/testing/server-process.ts';
import type { Installation } from './command.ts';
import { verbLines, names, verbUsages } from './program.ts';
import { readCommand } from './verbs.ts';

/** Nothing here opens anything. */
const nothing: Installation = {
  settingsFile: null,
  env: () => ({}),
  config: () => {
    throw new Error('opened');
  },
  withDatabase: () => Promise.reject(new Error('opened')),
};
const run = (...words: string[]) => readCommand(words).run(nothing);

test('[OPS-04] --help lists every verb and the exit codes; help and --help say the same of one', async () => {
  const { text } = await run('--help');
  for (const name of names) expect(text).toContain(`\n  ${name} `);
  expect(text).toContain(commands.exits);
  for (const name of names) {
    const { text: of } = await run('help', name);
    expect(of).toBe((await run(name, '--help')).text);
    expect(of).toContain(`  porchlight ${verbs[name].example}\n`);
    const flat = of.replaceAll(/\s+/g, ' ');
    for (const [sub, { about }] of verbLines(name)) expect(flat).toContain(sub && about);
  }
});

test('[OPS-04] the name that a verb had earlier still works, in its help, too', async () => {
  expect((await run('help', 'tenant')).text).toBe((await run('help', 'subtenant')).text);
  expect((await run('tenant', 'add', '--help')).text).toContain('porchlight subtenant add ID NAME');
  expect((await run('explain', 'route', '--role', '9')).text).toContain('member-intake');
  expect((await run('help', 'check-tenant')).text).toBe((await run('help', 'auth0')).text);
  expect(() => readCommand(['check-tenant'])).not.toThrow();
  for (const verb of ['tenant', 'subtenant']) {
    expect(() => readCommand([verb, 'list'])).not.toThrow();
    expect(() => readCommand([verb, 'add', '0', 'Zero'])).toThrow('a whole number from 1');
  }
});

test('[OPS-04] each sub-verb has a help of its own, with its own lines alone', async () => {
  const { text, data } = await run('user', 'add', '--help');
  expect(text).toContain(`  porchlight ${verbs.user.example}\n`);
  expect(text).toContain('Usage: porchlight user add EMAIL FIRST LAST [--role ROLE]...');
  expect(text).toContain('with its dial code');
  expect(text).not.toContain('porchlight user list');
  expect(await run('help', 'user', 'add')).toEqual({ text, data });
  expect((await run('user', 'list', '--help')).text).not.toContain(verbs.user.example);
  expect(() => readCommand(['help', 'user', 'lst'])).toThrow('There is no verb user lst.');
});

test.each(names)('[OPS-05] the example of %s is a command that there is', (name) => {
  const { example } = verbs[name];
  const words = execFileSync('sh', ['-c', `printf '%s\\0' ${example.replace(/ >.*/, '')}`], {
    encoding: 'utf8',
  });
  expect(() => readCommand(words.split('\0').slice(0, -1))).not.toThrow();
});

test.each([
  [['usr'], 'Did you mean user?'],
  [['tennant', 'list'], 'Did you mean tenant?'],
  [['constructor'], "Unknown command 'constructor'"],
  [[], 'Usage:\n  porchlight VERB'],
  [['help', 'nothing'], 'There is no verb nothing. porchlight --help'],
  [['completion', 'fish'], 'porchlight completion bash'],
])('[OPS-04] what is no verb gets the nearest one or the list: %j', (words, said) => {
  expect(() => readCommand(words)).toThrow(OperatorError);
  expect(() => readCommand(words)).toThrow(said);
});

test.each([
  [
    ['versoin'],
    "Unknown command 'versoin' (Did you mean --version?)\nporchlight --help lists all verbs.",
  ],
  [['hlep'], "Unknown command 'hlep' (Did you mean help?)\nporchlight --help lists all verbs."],
  [['user', 'invte'], "Unknown command 'invte' (Did you mean invite?)\nMore: porchlight help user"],
  [
    ['user', 'list', '--stats', 'x'],
    "Unknown option '--stats' (Did you mean --status?)\nMore: porchlight help user",
  ],
])('[OPS-92] N31: after a guess no usage follows: %j', (words, said) => {
  expect(() => readCommand(words)).toThrow(new OperatorError(said));
});

test.each([['invite'], ['show'], ['erase'], ['sessions']])(
  '[OPS-92] N31: a word that is neither address nor number is wrong usage of user %s',
  (verb) => {
    const words = ['user', verb, 'not-an-address'];
    expect(() => readCommand(words)).toThrow('not-an-address is no email address');
    expect(() => readCommand(['user', verb, '17'])).not.toThrow();
  },
);

test(
  '[OPS-92] N31: wrong usage ends with 2, and a backup names the folder that is missing',
  { tags: 'long' },
  async () => {
    expect(await runCommand({}, 'user', 'invite', 'not-an-address')).toMatchObject({ code: 2 });
    const file = '/nowhere/at/all/porchlight.backup';
    const { code, err } = await runCommand({}, 'backup', file);
    expect(code).toBe(1);
    expect(err).toBe(
      'There is no folder /nowhere/at/all. Make it first: mkdir -p -m 700 /nowhere/at/all\n',
    );
  },
);

test(
  '[OPS-04] the script for bash completes verbs, their words and their options',
  { tags: 'long' },
  async () => {
    const { text } = await run('completion', 'bash');
    const complete = (...words: string[]) => bash(text, words);
    expect(complete('porchlight', 'ten')).toEqual(['tenant']);
    expect(complete('porchlight', 'user', 'res')).toEqual(['resume']);
    expect(complete('porchlight', 'user', 'add', '--ro')).toEqual(['--role']);
    expect(complete('porchlight', 'help', 'out')).toEqual(['outbox']);
    expect(complete('porchlight', '--ver')).toEqual(['--version']);
    expect(complete('porchlight', 'subtenant', 'cl')).toEqual(['close']);
    expect(complete('porchlight', 'tenant', 'set', '--lo')).toEqual(['--logo']);
    // N17: the options of this sub-verb alone, and those of every verb; after --settings a file.
    expect(complete('porchlight', 'user', 'add', '--s')).toEqual(['--subtenant', '--settings']);
    expect(complete('porchlight', 'user', 'list', '--st')).toEqual(['--status']);
    expect(complete('porchlight', 'user', 'add', '--st')).toEqual(['']);
    expect(complete('porchlight', 'user', 'list', '--settings', '')).toEqual(['']);
  },
);

function bash(script: string, words: readonly string[]): readonly string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const asked = `COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _porchlight`;
  return execFileSync('bash', ['-c', `${script}${asked}; printf '%s\\n' "\${COMPREPLY[@]}"`], {
    encoding: 'utf8',
  })
    .trim()
    .split('\n');
}

test(
  '[OPS-04] the entry of package.json runs the verbs on Node 24, wherever it is called',
  { tags: 'long' },
  async () => {
    const { bin } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
      bin: { porchlight: string };
    };
    const out = execFileSync(process.execPath, [`${ROOT}${bin.porchlight}`, 'help', 'user'], {
      cwd: '/',
      encoding: 'utf8',
    });
    expect(out).toBe((await run('help', 'user')).text);
    const wrong = await runCommand({}, 'usr', '--json');
    expect(wrong).toMatchObject({ code: 2, out: '' });
    expect(JSON.parse(wrong.err)).toMatchObject({ code: 2 });
  },
);

/** Returns the options of a verb, each once, with its effect. */
function optionsOf(name: VerbName): readonly string[] {
  const rows = verbLines(name).flatMap(([sub, { options = {} }]) =>
    Object.entries(options).map(
      ([option, { about }]) => `- ${sub === '' ? '' : `${sub} `}\`--${option}\`: ${about}`,
    ),
  );
  return rows.length === 0 ? [] : [...rows, ''];
}

/** `docs/operations/commands.md`: `vitest -u` writes it anew. */
function page(): string {
  const section = (name: VerbName) => {
    const { summary, example, json, ...rest } = verbs[name];
    const notes: readonly string[] = 'notes' in rest ? rest.notes : [];
    const usage = verbUsages(name).map((line) => `porchlight ${line}`);
    const block = [...usage, '', `# ${commands.example}`];
    return [
      `## ${name}`,
      '',
      `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
      '',
      '```sh',
      ...block,
      `porchlight ${example}`,
      '```',
      '',
      ...optionsOf(name),
      ...notes.flatMap((note) => [note, '']),
      `${commands.json} ${json}`,
      '',
    ];
  };
  return [
    '# Commands',
    '',
    'In the checkout, after `npm ci`: `npx porchlight VERB`. Below, `porchlight` alone stands for it.',
    '',
    ...[commands.settings, commands.every, commands.exits].flatMap((text) => [text, '']),
    ...names.flatMap(section),
  ].join('\n');
}

test('[OPS-04] the page of commands says what the command line says', async () => {
  await expect(page()).toMatchFileSnapshot(`${ROOT}docs/operations/commands.md`);
});
