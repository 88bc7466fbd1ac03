/** [SUP-10] F8: one reading of phone numbers for every way in, by one table of inputs. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consoleTexts } from '#locales/operator/console.ts';
import { importCommand } from '#locales/operator/import-command.ts';
import { userCommand } from '#locales/operator/user-command.ts';
import { fields } from '#texts/fields.ts';
import { createAudit } from '../../audit/audit.ts';
import { OperatorError } from '../../config/operator-error.ts';
import { createAccountPages } from '../account-pages.ts';
import { type Desk, openDesk } from '../desk.ts';
import { operate } from '../operate.ts';
import { createTestAppWithPages, createTestContext } from '../test-app.ts';
import { createWire, SPA, type Wire, wireClients } from '../wire.ts';

type Input = {
  readonly country: 'US' | 'KE' | 'IN' | 'GB' | 'DE' | 'IT';
  readonly typed: string;
  /** The same number with its dial code in one field; `null`: the case has no such form. */
  readonly whole?: string | null;
  /** As '+' and digits; or the refusal. */
  readonly read: string;
};
const CODES = { US: '+1', KE: '+254', IN: '+91', GB: '+44', DE: '+49', IT: '+39' } as const;
const EXTENSION = 'extension';
const IMPOSSIBLE = 'impossible';
const US = '+12125550142';

const of = (
  country: Input['country'],
  rows: readonly (readonly [typed: string, read: string, whole?: string | null])[],
): readonly Input[] =>
  rows.map(([typed, read, whole]) => ({
    country,
    typed,
    read,
    ...(whole !== undefined && { whole }),
  }));

const INPUTS: readonly Input[] = [
  ...of('US', [
    ['2125550142', US],
    ['(212) 555-0142', US],
    ['212.555.0142', US],
    ['12125550142', US, null],
    ['1 (212) 555-0142', US, null],
    ['+1 212 555 0142', US, '+1 212 555 0142'],
    ['(+1) 212-555-0142', US, '(+1) 212-555-0142'],
    ['0012125550142', US, '0012125550142'],
    ['\u202A+1 212 555 0142\u202C', US, '\u202A+1 212 555 0142\u202C'],
    ['tel:+1-212-555-0142', US, 'tel:+1-212-555-0142'],
    ['٢١٢٥٥٥٠١٤٢', US],
    ['２１２５５５０１４２', US],
    ['(212) 555-0142 x123', EXTENSION],
    ['(212) 555-0142 ext. 4', EXTENSION],
    ['2125550142,,5', EXTENSION],
    ['2125550142;ext=5', EXTENSION],
    ['212-555-0142#7', EXTENSION],
    ['212-555-0142 Durchwahl ٤', EXTENSION],
    ['+1 212 555 0142 x123', EXTENSION, '+1 212 555 0142 x123'],
    ['212555014', IMPOSSIBLE],
    ['22125550142', IMPOSSIBLE],
    ['212555014212', IMPOSSIBLE],
    ['2125550142123', IMPOSSIBLE],
    ['21255501421234', IMPOSSIBLE],
    ['212555014212345', IMPOSSIBLE],
    ['1212555014', IMPOSSIBLE],
    ['0212555014', IMPOSSIBLE],
    ['+999 212 555 0142', IMPOSSIBLE, '+999 212 555 0142'],
    ['+870 773 111 632', IMPOSSIBLE, '+870 773 111 632'],
  ]),
  ...of('KE', [
    ['712345678', '+254712345678'],
    ['0712 345678', '+254712345678'],
    ['254712345678', '+254712345678', null],
    ['+254 0712 345678', '+254712345678', '+254 0712 345678'],
    ['7123456789', IMPOSSIBLE],
    ['712345678 x9', EXTENSION],
  ]),
  ...of('IN', [
    ['8123456789', '+918123456789'],
    ['08123456789', '+918123456789'],
    ['9112345678', '+919112345678'],
    ['81234567890', IMPOSSIBLE],
  ]),
  ...of('GB', [
    ['020 7946 0958', '+442079460958'],
    ['+44 (0)20 7946 0958', '+442079460958', '+44 (0)20 7946 0958'],
    ['20794609581', IMPOSSIBLE],
  ]),
  ...of('DE', [
    ['0151 12345678', '+4915112345678'],
    ['0049 151 12345678', '+4915112345678', '0049 151 12345678'],
    ['15112345678901', IMPOSSIBLE],
  ]),
  // Where the zero is dialed from abroad, too.
  ...of('IT', [['06 1234 5678', '+390612345678']]),
];

type Outcome = { readonly read: string } | { readonly refusal: string; readonly added: number };

const directory = mkdtempSync(join(tmpdir(), 'phone-numbers-'));
let context: Awaited<ReturnType<typeof createTestContext>>;
let wire: Wire;
let desk: Desk;
let me: Awaited<ReturnType<typeof pages.signedIn>>;
const pages = createAccountPages(() => testApp);

const testApp = await createTestAppWithPages((url) => ({ ...wireClients(url), limitFactor: 1000 }));
beforeAll(async () => {
  context = await createTestContext();
  const { db, clock } = testApp;
  context = { ...context, db, clock, audit: createAudit({ db, clock, actor: 'operator:test' }) };
  wire = createWire(testApp);
  desk = await openDesk(testApp, 'staff');
  me = await pages.signedIn();
});
afterAll(async () => {
  await testApp.close();
  await context.database.close();
  rmSync(directory, { recursive: true, force: true });
});

let count = 0;
const newEmail = () => `number-${(count += 1)}@numbers.test`;
const wholeOf = ({ country, typed, whole }: Input) =>
  whole === undefined ? `${CODES[country]} ${typed}` : whole;

async function accountOf(email: string): Promise<Outcome> {
  const { dial_code, mobile } = await testApp.db
    .selectFrom('users')
    .select(['dial_code', 'mobile'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return { read: dial_code + mobile };
}

async function waiting() {
  const emailAddress = newEmail();
  const visitor = testApp.visitor();
  testApp.clock.advance(1);
  const created = (await visitor.signUp({ emailAddress })).data;
  const userId = created?.userId ?? 0;
  const id = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data?.id ?? '';
  return { visitor, emailAddress, userId, id };
}

/** Does something, and counts what it added: accounts, changes, and what is sent or waits to be. */
async function watch<T>(act: () => Promise<T>): Promise<{ answer: T; added: number }> {
  const count_ = async () => {
    await testApp.app.outbox.settle();
    const { rows } = await sql<{
      all: number;
    }>`select (select count(*) from users) + (select count(*) from outbox)
      + (select count(*) from messages) + (select count(*) from contact_changes)
      + (select count(*) from staff_changes) as all`.execute(testApp.db);
    return rows[0]?.all ?? 0;
  };
  const before = await count_();
  const answer = await act();
  return { answer, added: (await count_()) - before };
}

async function command(email: string, ...words: string[]): Promise<Outcome> {
  const { answer, added } = await watch(async () => {
    try {
      await operate(context, 'user', ...words);
      return null;
    } catch (error) {
      if (error instanceof OperatorError) return error.message;
      throw error;
    }
  });
  return answer === null ? accountOf(email) : { refusal: answer, added };
}

async function imported(phone: string, ...words: string[]): Promise<Outcome> {
  const email = newEmail();
  const file = join(directory, `${email}.csv`);
  writeFileSync(file, `email;phone\n${email};"${phone}"\n`);
  const { answer, added } = await watch(() => operate(context, 'user', 'import', file, ...words));
  const [line] = (answer.data as { lines: { reason: keyof typeof importCommand.faults }[] }).lines;
  return line ? { refusal: importCommand.faults[line.reason], added } : accountOf(email);
}

/** Ways in with a field for the dial code, then those of one field. */
const BESIDE: Readonly<Record<string, (input: Input) => Promise<Outcome>>> = {
  async 'sign-up'({ country, typed }) {
    const emailAddress = newEmail();
    const number = { countryCode: CODES[country], mobileNumber: typed };
    const { answer, added } = await watch(() =>
      testApp.visitor().signUp({ emailAddress, ...number }),
    );
    return answer.succeeded
      ? accountOf(emailAddress)
      : { refusal: answer.messages[0] ?? '', added };
  },
  async "'Not your number?'"({ country, typed }) {
    const { visitor, emailAddress, userId, id } = await waiting();
    const number = { countryCode: CODES[country], mobileNumber: typed };
    const body = { id, createdBy: userId, emailAddress, ...number };
    const { answer, added } = await watch(() => visitor.call('changeAddress', { body }));
    if (!answer.succeeded) return { refusal: answer.messages[0] ?? '', added };
    const { dial_code, mobile } = await testApp.db
      .selectFrom('registrations')
      .select(['dial_code', 'mobile'])
      .where('email', '=', emailAddress)
      .where('completed_at', 'is', null)
      .executeTakeFirstOrThrow();
    return { read: dial_code + mobile };
  },
  async 'My account'({ country, typed }) {
    const path = '/account/me/phone';
    const sent = { phone: typed, dialCode: CODES[country] };
    const { answer, added } = await watch(() => pages.send(me.visitor, sent, path));
    if (answer.status === 200) {
      const { problems, typed: kept } = await pages.read(answer);
      expect(kept.phone).toBe(typed);
      return { refusal: fields[problems.phone?.message as keyof typeof fields], added };
    }
    const { contacts } = await pages.open(me.visitor, path);
    await pages.send(me.visitor, { do: 'cancel' }, path);
    return { read: contacts.waitsFor?.to.replaceAll(/[^+\d]/g, '') ?? '' };
  },
  'an import with --country': ({ country, typed }) => imported(typed, '--country', country),
};
const WHOLE: Readonly<Record<string, (whole: string) => Promise<Outcome>>> = {
  async 'the console'(whole) {
    const { userId } = await testApp.visitor().register({ emailAddress: newEmail() });
    const path = `/console/people/${userId}/correctPhone`;
    const { answer, added } = await watch(() => desk.send(path, { phone: whole }));
    const { page } = answer;
    if (page?.kind === 'verb') {
      const [phone] = page.fields;
      expect(phone?.value).toBe(whole);
      return { refusal: phone?.problem ?? '', added };
    }
    const { mobile } = await testApp.db
      .selectFrom('staff_changes')
      .select('mobile')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return { read: mobile };
  },
  async 'user add'(whole) {
    const email = newEmail();
    return command(email, 'add', email, 'Ann', 'Lind', '--phone', whole);
  },
  async 'user set'(whole) {
    const email = newEmail();
    await command(email, 'add', email, 'Ann', 'Lind');
    return command(email, 'set', email, '--phone', whole);
  },
  'an import': (whole) => imported(whole),
  async "Auth0's sign-up"(whole) {
    const email = newEmail();
    const person = { email, password: 'Sunny-Porch-7', given_name: 'Ada', family_name: 'Winslow' };
    const connection = 'Username-Password-Authentication';
    const body = { client_id: SPA, connection, ...person, phone_number: whole };
    const ip = `10.9.${count >> 8}.${count & 255}`;
    const { answer, added } = await watch(() => wire.post('dbconnections/signup', body, { ip }));
    const { description } = (await answer.json()) as { description?: string };
    return answer.status === 200 ? accountOf(email) : { refusal: description ?? '', added };
  },
};

const REFUSALS: Readonly<Record<string, readonly string[]>> = {
  [EXTENSION]: [
    fields.phoneExtension,
    userCommand.phoneExtension,
    importCommand.faults.phoneExtension,
  ],
  [IMPOSSIBLE]: [
    fields.phoneInvalid,
    fields.phoneImpossible,
    consoleTexts.phoneProblem,
    userCommand.badPhone,
    importCommand.faults.impossiblePhone,
  ],
};

/** Returns the number that was read, or the name of the refusal, which adds nothing. */
function told(outcome: Outcome): string {
  if ('read' in outcome) return outcome.read;
  const { refusal, added } = outcome;
  const name = Object.keys(REFUSALS).find((each) => REFUSALS[each]?.includes(refusal)) ?? refusal;
  return added === 0 ? name : `${name}, and ${added} rows`;
}

/** One input of each kind: each way in reads these in `npm test`, and sign-up reads all. */
const FEW = ['(212) 555-0142', '212555014', '0712 345678'];

function walk(
  [name, inputs]: readonly [string, readonly Input[]],
  read: (input: Input) => Promise<Outcome>,
) {
  const isShort = ({ typed }: Input) => name === 'sign-up' || FEW.includes(typed);
  for (const input of inputs) {
    const tags = isShort(input) ? [] : ['long'];
    test(`${input.country} ${input.typed}: ${input.read}`, { tags }, async () => {
      expect(told(await read(input))).toBe(input.read);
    });
  }
}

describe.each(Object.entries(BESIDE))('[SUP-10] F8: %s', (name, way) => {
  walk([name, INPUTS], way);
});

describe.each(Object.entries(WHOLE))('[SUP-10] F8: %s', (name, way) => {
  const inputs = INPUTS.filter((input) => wholeOf(input) !== null);
  walk([name, inputs], (input) => way(wholeOf(input) ?? ''));
});
