/** `porchlight user`: the accounts of people, what is kept about one person, and its end. */

import { pathOf } from '#domain/screens.ts';
import { parseSubtenantId } from '#domain/subtenants.ts';
import { fill } from '#locales/fill.ts';
import { lifeText } from '#server/notifications/life-text.ts';
import { userCommand as texts } from '#locales/operator/user-command.ts';
import { type Account, findRoleIds } from '#server/accounts/account-store.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import type { Db } from '#server/db/database.ts';
import { createSubtenants } from '#server/subtenants/subtenants.ts';
import {
  addAccount,
  changeRoles,
  describeAccount,
  invite,
  inviteNew,
  listAccounts,
  setSuspended,
} from '#server/administration/people.ts';
import { type PersonChange, setPerson } from '#server/administration/set-person.ts';
import { namesOf, readPerson, readPersonChange, rolesIn } from './person-words.ts';
import { unlockAccount } from '#server/administration/unlock.ts';
import { listSessions, type OpenSession, signOut } from '#server/administration/sessions.ts';
import { erasePerson } from '#server/administration/privacy/erase.ts';
import { userImport } from './import/user-import.ts';
import { exportPerson } from '#server/administration/privacy/export.ts';
import { findByWord } from '#server/administration/privacy/person.ts';
import {
  type Command,
  type CommandContext,
  type Output,
  output,
  readWords,
  wrongUsage,
} from './command.ts';

type Values = ReturnType<typeof read>['values'];
/** What a verb does with the account that is named. */
type Doing = (context: CommandContext, account: Account) => Promise<Output>;

const STATES = ['active', 'pending', 'inactive'] as const;
const LONGEST_LIST = 10_000;

/** The options that each verb takes. */
const VERBS: Readonly<Record<string, readonly (keyof Values)[]>> = {
  show: [],
  add: ['role', 'phone', 'subtenant'],
  invite: ['role', 'phone', 'subtenant'],
  list: ['role', 'subtenant', 'status', 'count'],
  find: ['count'],
  set: ['first', 'last', 'email', 'phone', 'subtenant'],
  unlock: [],
  roles: ['give', 'take'],
  suspend: [],
  resume: [],
  sessions: [],
  'sign-out': ['session'],
  export: [],
  erase: ['yes'],
};

export const user: Command = (words) => {
  if (words[0] === 'import') return userImport(words.slice(1));
  const { values, positionals } = read(words);
  const [verb = '', word = '', ...rest] = positionals;
  const options = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  const isMeant = Object.keys(values).every((name) => options?.includes(name as keyof Values));
  if (!options || (word === '') !== (verb === 'list') || !isMeant) throw usage();
  if (verb === 'list') return listing(values, null);
  if (verb === 'find') return listing(values, [word, ...rest].join(' '));
  if (verb === 'add' || verb === 'invite') return adding(verb, [word, ...rest], values);
  if (rest.length > 0) throw usage();
  const does = doing(verb, values);
  return (at) =>
    at.withDatabase(async (context) => {
      const account = await findByWord(context.db, word);
      if (!account) throw unknown(word);
      return does(context, account);
    });
};

function doing(verb: string, values: Values): Doing {
  switch (verb) {
    case 'show':
      return async (context, account) => document(await describeAccount(context, account));
    case 'roles': {
      const change = { give: rolesIn(values.give), take: rolesIn(values.take) };
      if (change.give.length + change.take.length === 0) throw usage();
      return async (context, { id }) => {
        await changeRoles(context, id, change);
        const roles = namesOf(await findRoleIds(context.db, id)) || texts.notKnown;
        return output([fill(texts.rolesChanged, { id, roles })], { id });
      };
    }
    case 'set': {
      const change = readPersonChange(values);
      if (Object.keys(change).length === 0) throw usage();
      return (context, { id }) => setting(context, id, change);
    }
    case 'unlock':
      return async (context, { id }) => {
        const data = { id, count: await unlockAccount(context, id) };
        return output([fill(texts.unlocked, data)], data);
      };
    case 'suspend':
    case 'resume':
      return async (context, { id, status }) => {
        const isOff = verb === 'suspend';
        // What is done already is no fault.
        if (status === (isOff ? 'inactive' : 'active')) {
          return output([fill(texts.notSwitched, { id, status })], { id });
        }
        if (!(await setSuspended(context, id, isOff))) {
          throw new OperatorError(fill(texts.notSwitched, { id, status }));
        }
        const said = isOff ? texts.suspended : texts.resumed;
        return output([fill(said, { id })], { id });
      };
    case 'sessions':
      return async (context, account) => {
        const data = await listSessions(context, account);
        const rows = data.map((row) => fill(texts.sessionRow, wordsOf(row)));
        return output(
          [texts.sessionsHeader, ...rows],
          data.map((row) => {
            const { hostedUid: _, ...shown } = row;
            return shown;
          }),
        );
      };
    case 'sign-out':
      return async (context, account) => {
        const { id } = account;
        const count = await signOut(context, account, values.session ?? null);
        if (count === null) {
          throw new OperatorError(fill(texts.noSession, { id, session: values.session ?? '' }));
        }
        return output([fill(texts.signedOut, { id, count })], { id, count });
      };
    case 'erase':
      return async (context, account) => {
        if (!values.yes) throw new OperatorError(fill(texts.confirm, { id: account.id }));
        return erased(context, account);
      };
    default:
      return exported;
  }
}

async function setting(context: CommandContext, id: number, change: PersonChange): Promise<Output> {
  const { subtenantId } = change;
  if (subtenantId !== undefined && !(await createSubtenants(context).find(subtenantId))) {
    throw new OperatorError(fill(texts.noSubtenant, { id: subtenantId }));
  }
  const outcome = await setPerson(context, id, change);
  switch (outcome.kind) {
    case 'unknown':
      throw unknown(id);
    case 'taken':
      throw new OperatorError(texts.setTaken);
    case 'pending':
      throw new OperatorError(fill(texts.setPending, { id }));
    case 'atTenant':
      throw new OperatorError(fill(texts.setAtTenant, { id }));
    case 'done': {
      const changed = outcome.changed.join(', ');
      const said =
        changed === '' ? fill(texts.setAlready, { id }) : fill(texts.set, { id, changed });
      return output([said], { id, changed: outcome.changed });
    }
  }
}

function adding(
  verb: string,
  words: readonly string[],
  { phone, role, subtenant }: Values,
): ReturnType<Command> {
  // Invited a second time, by the address alone: the mail was lost, or its time is over.
  const isAgain = verb === 'invite' && words.length === 1;
  if (words.length > 3) throw usage();
  if (isAgain) return inviting(words[0] ?? '');
  const person = readPerson(words, { phone, role, subtenant });
  const { email, subtenantId } = person;
  return (at) =>
    at.withDatabase(async (context) => {
      if (!(await createSubtenants(context).find(subtenantId))) {
        throw new OperatorError(fill(texts.noSubtenant, { id: subtenantId }));
      }
      const isInvited = verb === 'invite';
      const account = await context.db
        .transaction()
        .execute((db) => (isInvited ? inviteNew : addAccount)({ ...context, db }, person));
      if (!account) throw new OperatorError(fill(texts.taken, { email }));
      const url = `${context.config.publicUrl}${pathOf('forgotPassword')}?subtenantId=${subtenantId}`;
      const said = isInvited ? texts.invited : texts.added;
      const life = lifeText(context.config.timers.invitationMs);
      return output([fill(said, { email, id: account.id, url, life })], { id: account.id });
    });
}

function listing(
  { role = [], subtenant, status, count = '100' }: Values,
  text: string | null,
): ReturnType<Command> {
  const roleIds = rolesIn(role);
  const subtenantId = subtenant === undefined ? null : parseSubtenantId(subtenant);
  const wanted = STATES.find((state) => state === status);
  const most = Number(count);
  const isCount = Number.isInteger(most) && most > 0 && most <= LONGEST_LIST;
  const isState = status === undefined || wanted !== undefined;
  if (!isCount || !isState || (subtenant !== undefined && subtenantId === null)) throw usage();
  return (at) =>
    at.withDatabase(async ({ db }) => {
      const choice = { text, roleIds, subtenantId, status: wanted ?? null, most };
      const data = await listAccounts(db, choice);
      if (text !== null && data.length === 0) {
        throw new OperatorError(fill(texts.foundNone, { text }));
      }
      const rows = data.map((row) => fill(texts.listed, { ...row, roles: row.roles.join(' ') }));
      return output([texts.listHeader, ...rows], data);
    });
}

function inviting(word: string): ReturnType<Command> {
  return (at) =>
    at.withDatabase(async (context) => {
      const account = await findByWord(context.db, word);
      if (!account) throw unknown(word);
      const { id, email, status, password_hash: hash } = account;
      if (status !== 'active' || hash !== null) {
        throw new OperatorError(fill(texts.notInvited, { id, status }));
      }
      await invite(context, account);
      return output(
        [fill(texts.invited, { email, id, life: lifeText(context.config.timers.invitationMs) })],
        { id },
      );
    });
}

const usage = () => wrongUsage('user');
const unknown = (word: string | number) => new OperatorError(fill(texts.unknown, { word }));

const document = (data: object): Output => ({ text: `${JSON.stringify(data, null, 2)}\n`, data });

async function exported(context: CommandContext, { id }: Account): Promise<Output> {
  const data = await exportPerson(context, id);
  if (!data) throw unknown(id);
  return document(data);
}

async function erased(
  context: CommandContext,
  { id, hosted_user_id: hostedUserId }: Account,
): Promise<Output> {
  const linked = await linkedTo(context.db, id);
  const counts = await erasePerson(context, id);
  if (!counts) throw unknown(id);
  const lines = [
    fill(texts.erased, { id }),
    ...Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([table, count]) => fill(texts.row, { table, count })),
    ...(hostedUserId ? [fill(texts.atTenant, { hostedUserId })] : []),
    ...(linked.length > 0 ? [fill(texts.linked, { ids: linked.join(', ') })] : []),
  ];
  return output(lines, { id, erased: counts, hostedUserId, linked });
}

/** A session as one line of a list. */
function wordsOf({ startedAt, seenAt, browser, network, entrance, clients, id }: OpenSession) {
  return {
    id,
    startedAt: startedAt.toISOString(),
    seenAt: seenAt.toISOString(),
    browser: browser ?? texts.notKnown,
    network: network ?? texts.notKnown,
    entrance: entrance ?? texts.hostedLogin,
    clients: clients.join(' '),
  };
}

/** Accounts of the same person that are not erased with this one: each is named by itself. */
async function linkedTo(db: Db, id: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('linked_accounts')
    .select(['user_id', 'primary_id'])
    .where((eb) => eb.or([eb('user_id', '=', id), eb('primary_id', '=', id)]))
    .execute();
  return rows.map((row) => (row.user_id === id ? row.primary_id : row.user_id));
}

function read(words: readonly string[]) {
  const many = { type: 'string', multiple: true } as const;
  const one = { type: 'string' } as const;
  const options = {
    yes: { type: 'boolean' },
    role: many,
    give: many,
    take: many,
    first: one,
    last: one,
    email: one,
    phone: one,
    subtenant: one,
    status: one,
    count: one,
    session: one,
  } as const;
  return readWords(words, options, 'user');
}
