/** `porchlight user`: accounts, the data about one person, and its deletion. */

import { pathOf } from '#domain/flow/screens.ts';
import { fill } from '#locales/fill.ts';
import { textsIn } from '#locales/catalogue.ts';
import { ORIGINAL } from '#locales/languages.ts';
import { lifeText } from '#server/notifications/life-text.ts';
import { userCommand as texts } from '#locales/operator/user-command.ts';
import { type Account, findRoleIds } from '#server/accounts/account-store.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import type { Db } from '#server/db/database.ts';
import { AppError } from '#server/http/app-error.ts';
import { createSubtenants } from '#server/subtenants/subtenants.ts';
import {
  addAccount,
  changeRoles,
  describeAccount,
  invite,
  inviteNew,
  type NewPerson,
  setSuspended,
} from '#server/people/people.ts';
import { type PersonChange, setPerson } from '#server/people/set-person.ts';
import { rolesText, readPerson, readPersonChange, rolesIn, withNumber } from './person-words.ts';
import { inTransaction } from '#server/db/in-transaction.ts';
import { takeAppCode } from '#server/access/authenticator.ts';
import { agreeToChange } from '#server/contacts/staff-changes.ts';
import { unlockAccount } from '#server/access/unlock.ts';
import { listSessions, type OpenSession, signOut } from '#server/access/sessions.ts';
import { erasePerson } from '#server/people/privacy/erase.ts';
import { endHelper, listHelpers } from './user-helpers.ts';
import { listKeys, removeKey } from './user-keys.ts';
import { listAccountsOf } from './user-list.ts';
import { userImport } from './import/user-import.ts';
import { exportPerson } from '#server/people/privacy/export.ts';
import { findByWord, isPersonWord } from '#server/accounts/person.ts';
import {
  type CommandContext,
  type CommandOf,
  tableLines,
  onDatabase,
  type Output,
  output,
  type Run,
} from './command.ts';
import { wrongUsage } from './program.ts';

/** The work of a line on the named account. */
type Doing = (context: CommandContext, account: Account) => Promise<Output>;

const english = textsIn(ORIGINAL);

/** Runs a line on the account of a word. @throws OperatorError when there is none */
export function onAccount([word = '']: readonly string[], does: Doing): Run {
  if (!isPersonWord(word)) throw new OperatorError(fill(texts.noPerson, { word }));
  return onDatabase(async (context) => {
    const account = await findByWord(context.db, word);
    if (!account) throw unknown(word);
    return does(context, account);
  });
}

export const user: CommandOf<'user'> = {
  show: (words) =>
    onAccount(words, async (context, account) => document(await describeAccount(context, account))),

  add: (words, values) => adding('add', readPerson(words, values)),

  invite(words, values) {
    // Invited a second time, by the address alone: the mail was lost, or its time is over.
    if (words.length === 1) return onAccount(words, invitedAgain);
    return adding('invite', readPerson(words, values));
  },

  list: (_, values) => listAccountsOf(values, null),
  find: (words, values) => listAccountsOf(values, words.join(' ')),

  set(words, values) {
    const change = readPersonChange(values);
    if (Object.keys(change).length === 0) throw wrongUsage('user', 'set', texts.setNothing);
    return onAccount(words, (context, { id }) => setting(context, id, change));
  },

  unlock: (words) =>
    onAccount(words, async (context, { id }) => {
      const data = { id, count: await unlockAccount(context, id) };
      return output([fill(texts.unlocked, data)], data);
    }),

  roles(words, values) {
    const change = { give: rolesIn(values.give), take: rolesIn(values.take) };
    if (change.give.length + change.take.length === 0) {
      throw wrongUsage('user', 'roles', texts.rolesNothing);
    }
    return onAccount(words, async (context, { id }) => {
      await changeRoles(context, id, change);
      const roles = rolesText(await findRoleIds(context.db, id)) || texts.notKnown;
      return output([fill(texts.rolesChanged, { id, roles })], { id });
    });
  },

  suspend: (words) => onAccount(words, switched('inactive')),
  resume: (words) => onAccount(words, switched('active')),

  sessions: (words) =>
    onAccount(words, async (context, account) => {
      const data = (await listSessions(context, account)).map((session) => {
        const { hostedUid: _, provedAt: _provedAt, ...shown } = session;
        return shown;
      });
      return tableLines(data, texts.sessionsHeader, sessionCells);
    }),

  'sign-out': (words, { session = null }) =>
    onAccount(words, async (context, account) => {
      const { id } = account;
      const count = await signOut(context, account, session);
      if (count === null) {
        throw new OperatorError(fill(texts.noSession, { id, session: session ?? '' }));
      }
      return output([fill(texts.signedOut, { id, count })], { id, count });
    }),

  'remove-app-code': (words) =>
    onAccount(words, async (context, { id, email }) => {
      const isRemoved = await takeAppCode(context, id);
      const text = isRemoved
        ? fill(texts.appCodeRemoved, { id, email })
        : fill(texts.noAppCode, { id });
      return output([text], { id, isRemoved });
    }),

  'agree-to-change': (words) =>
    onAccount(words, async (context, account) => {
      const { id } = account;
      const by = { staffId: null, isOperator: true, isPersonHere: false };
      const outcome = await inTransaction(context.db, (db) =>
        agreeToChange({ ...context, db }, account, by),
      ).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        return 'already';
      });
      if (outcome === 'already') throw new OperatorError(fill(texts.noChange, { id }));
      return output([fill(texts.changeAgreed, { id })], { id });
    }),

  keys: (words) => onAccount(words, listKeys),
  'remove-key': (words, { key = '' }) => onAccount(words, removeKey(key)),
  helpers: (words) => onAccount(words, listHelpers),
  'end-helper': (words, { helper = '' }) => onAccount(words, endHelper(helper)),

  export: (words) =>
    onAccount(words, async (context, { id }) => {
      const data = await exportPerson(context, id);
      if (!data) throw unknown(id);
      return document(data);
    }),

  erase: (words, { yes }) =>
    onAccount(words, async (context, { id, hosted_user_id: hostedUserId }) => {
      if (!yes) throw new OperatorError(fill(texts.confirm, { id }));
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
    }),

  import: userImport,
};

/** Switches an account on or off; a repetition is no fault. */
function switched(to: 'active' | 'inactive'): Doing {
  const isOff = to === 'inactive';
  return async (context, { id, status }) => {
    if (status === to) return output([fill(texts.notSwitched, { id, status })], { id });
    if ((await setSuspended(context, id, isOff)) === 'already') {
      throw new OperatorError(fill(texts.notSwitched, { id, status }));
    }
    return output([fill(isOff ? texts.suspended : texts.resumed, { id })], { id });
  };
}

async function setting(context: CommandContext, id: number, change: PersonChange): Promise<Output> {
  const { subtenantId } = change;
  if (subtenantId !== undefined && !(await createSubtenants(context).find(subtenantId))) {
    throw new OperatorError(fill(texts.noSubtenant, { id: subtenantId }));
  }
  const outcome = await setPerson(context, id, await withNumber(change));
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

function adding(verb: 'add' | 'invite', person: NewPerson): Run {
  const { email, subtenantId } = person;
  return onDatabase(async (context) => {
    if (!(await createSubtenants(context).find(subtenantId))) {
      throw new OperatorError(fill(texts.noSubtenant, { id: subtenantId }));
    }
    const isInvited = verb === 'invite';
    const read = await withNumber(person);
    const account = await context.db
      .transaction()
      .execute((db) => (isInvited ? inviteNew : addAccount)({ ...context, db }, read));
    if (!account) throw new OperatorError(fill(texts.taken, { email }));
    const url = `${context.config.publicUrl}${pathOf('forgotPassword')}?subtenantId=${subtenantId}`;
    const said = isInvited ? texts.invited : texts.added;
    const life = lifeText(english, context.config.timers.invitationMs);
    return output([fill(said, { email, id: account.id, url, life })], { id: account.id });
  });
}

async function invitedAgain(context: CommandContext, account: Account): Promise<Output> {
  const { id, email, status, password_hash: hash } = account;
  if (status !== 'active' || hash !== null) {
    throw new OperatorError(fill(texts.notInvited, { id, status }));
  }
  await invite(context, account);
  const life = lifeText(english, context.config.timers.invitationMs);
  return output([fill(texts.invited, { email, id, life })], { id });
}

const unknown = (word: string | number) => new OperatorError(fill(texts.unknown, { word }));

const document = (data: object): Output => ({ text: `${JSON.stringify(data, null, 2)}\n`, data });

const sessionCells = (session: Omit<OpenSession, 'hostedUid' | 'provedAt'>) => [
  session.id,
  session.startedAt.toISOString(),
  session.seenAt.toISOString(),
  session.browser ?? texts.notKnown,
  session.network ?? texts.notKnown,
  session.entrance ?? texts.hostedLogin,
  session.clients.join(' '),
];

/** Accounts of the same person that are not erased with this one: each is named by itself. */
async function linkedTo(db: Db, id: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('linked_accounts')
    .select(['user_id', 'primary_id'])
    .where((eb) => eb.or([eb('user_id', '=', id), eb('primary_id', '=', id)]))
    .execute();
  return rows.map((row) => (row.user_id === id ? row.primary_id : row.user_id));
}
