import { mayHandle, personKindOf } from '#domain/help-desk/console-rights.ts';
import {
  CONSOLE_VERBS,
  type ConsoleVerb,
  mayDo,
  mendingVerb,
  type Resendable,
  verbRest,
  type VerbRest,
} from '#domain/help-desk/console-verbs.ts';
import type {
  ConsoleCause,
  ConsolePersonData,
  PersonPage,
  WayToSignIn,
} from '#contract/console.ts';
import { isRoleId, ROLE_IDS } from '#domain/people/roles.ts';
import { type SignInFacts, whyCannotSignIn } from '#domain/help-desk/why-cannot-sign-in.ts';
import {
  type Account,
  consolePersonOf,
  readAccount,
  shownNamesOf,
} from '../../accounts/account-store.ts';
import { openChanges } from '../../accounts/contact-changes.ts';
import { linkOf, waysOf } from '../../accounts/organisation-links.ts';
import { hasResetLink } from '../../accounts/reset-links.ts';
import { openRegistrations } from '../../accounts/registration-store.ts';
import { messagesToAccounts } from '../../access/person-messages.ts';
import { listSessions } from '../../access/sessions.ts';
import { listKeys } from '../../proofs/passkeys/key-store.ts';
import { isChanging, restOfAgreeing, shownValue } from '../../contacts/staff-changes.ts';
import { waitingChangeOf } from '../../accounts/staff-change-store.ts';
import { helpersInForce } from '../../accounts/helper-store.ts';
import { findAppCode } from '../../proofs/authenticator/app-code-store.ts';
import { signInFactsOf } from '../../access/sign-in-facts.ts';
import { isLocked } from '../../access/unlock.ts';
import type { ServerContext } from '../../core/context.ts';
import { PENDING_LIFE_MS } from '../../sign-in/session-lifetime.ts';
import { later } from '../../core/clock.ts';
import { phoneText } from '../../accounts/phone-text.ts';
import { auditDesk } from '#locales/operator/figures.ts';
import { houseStaffNames } from '../areas/shown-people.ts';
import { lastSignInsOf } from './search-people.ts';
import type { Staff } from '../staff.ts';

/** A person whom the staff member may see, with the facts that its verbs depend on. */
export type Person = NonNullable<Awaited<ReturnType<typeof readPerson>>>;

/** Returns a person; `null` when there is none, or the staff member may not see it: both look alike. */
export async function readPerson(context: ServerContext, staff: Staff, id: number) {
  const { db, config } = context;
  const account = await readAccount(db, id);
  if (!account || account.shadow_of !== null) return null;
  const roleIds = account.roleIds.filter(isRoleId);
  const subtenantId = account.subtenant_id;
  const kind = personKindOf(staff, consolePersonOf(account), config.console);
  if (!mayDo(staff.role, 'look', kind)) return null;
  const facts = await signInFactsOf(context, account);
  const sessions = (await listSessions(context, account)).length;
  const isKept = (await waysOf(db, id)).keptBy !== null;
  const resendable = await resendableOf(context, account, { ...facts, isKept });
  const handled = ROLE_IDS.filter((role) => mayHandle(staff, role, subtenantId, config.console));
  const rolesToGive = handled.filter((role) => !roleIds.includes(role));
  const rolesToTake = handled.filter((role) => roleIds.includes(role));
  const own = CONSOLE_VERBS.filter(
    (verb) => verb !== 'look' && verb !== 'invite' && mayDo(staff.role, verb, kind),
  );
  const keys = await listKeys(db, id);
  const change = (await waitingChangeOf(db, id, context.clock.now())) ?? null;
  const verbFacts = {
    status: account.status,
    // After an undo a link vouches for the person, and not for the mailbox alone (ACC-04).
    hasPassword: facts.hasPassword || account.recovery_since !== null,
    isKept,
    isOffByOrganisation: Boolean((await linkOf(db, id))?.off_at),
    isLocked: facts.lockedUntil !== null || (await isLocked(context, id)),
    sessions,
    isMailBack: facts.lastMail?.state === 'failed',
    isResetHeld: facts.changeUntil !== null,
    resendable,
    rolesToGive: rolesToGive.length,
    rolesToTake: rolesToTake.length,
    isContactHere: account.hosted_user_id === null,
    keys: keys.length,
    hasAppCode: (await findAppCode(db, id)) !== undefined,
    hasOldAddress: (await openChanges(db, id, context.clock.now())).some(
      ({ contact }) => contact === 'email',
    ),
    change: change && {
      rest: await restOfAgreeing(context, change, {
        staffId: staff.id,
        isOperator: staff.role === 'operator',
      }),
    },
    isChanging: await isChanging(context, id),
  };
  /** The verbs that the staff member has for this person, with the reason of those that would do nothing. */
  const verbs: ReadonlyMap<ConsoleVerb, VerbRest | null> = new Map(
    own.map((verb) => [verb, verbRest(verb, verbFacts)]),
  );
  return {
    account,
    kind,
    roleIds,
    facts,
    sessions,
    resendable,
    rolesToGive,
    rolesToTake,
    keys,
    hasResetLink: await hasResetLink(db, id, context.clock.now()),
    change,
    verbs,
  };
}

async function resendableOf(
  { db, clock }: ServerContext,
  { id, status, password_hash: hash, recovery_since: undoneAt }: Account,
  { hasAppCode, isKept }: Pick<SignInFacts, 'hasAppCode'> & { readonly isKept: boolean },
): Promise<Resendable | null> {
  if (status === 'pending') {
    const form = await openRegistrations(db)
      .select('registrations.id')
      .where('registrations.user_id', '=', id)
      .executeTakeFirst();
    return form ? 'signUp' : null;
  }
  if (status === 'inactive') return null;
  if (hash === null && !isKept) return undoneAt ? null : 'invitation';
  // The app has the code: none is ever sent in its place.
  if (hasAppCode) return null;
  const attempt = await db
    .selectFrom('sign_ins')
    .select('id')
    .where('user_id', '=', id)
    .where('stage', '=', 'otp')
    .where('created_at', '>', later(clock.now(), -PENDING_LIFE_MS))
    .executeTakeFirst();
  return attempt ? 'code' : null;
}

/** Returns the words of a person for a page. */
export const describePerson = async (
  { account, roleIds }: Person,
  subtenant: string,
): Promise<ConsolePersonData> => ({
  id: account.id,
  firstName: account.first_name,
  lastName: account.last_name,
  email: account.email,
  phone: await phoneText(account),
  subtenant,
  roles: roleIds,
  since: account.created_at.getTime(),
  trialEnds: account.trial_ends_at?.getTime() ?? null,
});

/**
 * Returns why the person cannot sign in, with the verb that mends it. A verb that was done and whose answer is waited
 * for mends nothing a second time.
 * @param done the verb that was done a moment ago
 */
export function signInCause(
  { facts, verbs, change, hasResetLink }: Person,
  done: ConsoleVerb | null,
): ConsoleCause {
  const cause = whyCannotSignIn(facts);
  const mend = mendingVerb(cause);
  const waitsFor = askedFor(mend, hasResetLink, done);
  // The change that waits is the conversation then.
  const isAsked = waitsFor !== null || change !== null;
  const mayMend = mend !== null && !isAsked && verbs.get(mend) === null;
  const until = cause === 'changeWaits' ? facts.changeUntil : facts.lockedUntil;
  const failed = cause === 'phoneGetsNoTexts' ? facts.lastText : facts.lastMail;
  return {
    cause,
    until: until?.getTime() ?? null,
    module: facts.missingModule ?? '',
    organisation: facts.organisation?.label ?? '',
    reason: failed?.reason ?? null,
    mend: mayMend ? mend : null,
    waitsFor,
  };
}

/** Returns what was asked for and has not happened yet. */
function askedFor(
  mend: ConsoleVerb | null,
  hasResetLink: boolean,
  done: ConsoleVerb | null,
): ConsoleCause['waitsFor'] {
  if (mend === 'mailReset' && hasResetLink) return 'resetLink';
  return mend === 'resend' && done === 'resend' ? 'message' : null;
}

/** Returns how the ways to sign in stand. */
export async function waysToSignIn(
  { db }: Pick<ServerContext, 'db'>,
  { account, facts }: Person,
): Promise<PersonPage['ways']> {
  const messages = await messagesToAccounts(db, [account.id]);
  const newest = (isMail: boolean) =>
    messages.find(({ channel }) => channel !== 'voice' && (channel === 'email') === isMail);
  const last = (await lastSignInsOf(db, [account.id])).get(account.id);
  const byMessage = (way: 'mail' | 'text', isThere: boolean): WayToSignIn => {
    const message = newest(way === 'mail');
    if (!isThere || !message) return { way, state: isThere ? 'works' : 'none', at: null };
    const { state, queued_at: at } = message;
    return { way, state: state === 'failed' ? 'fails' : 'works', at: at.getTime() };
  };
  const password: WayToSignIn = {
    way: 'password',
    state: !facts.hasPassword ? 'none' : facts.organisation?.isOnly ? 'rests' : 'works',
    at: last?.getTime() ?? null,
  };
  const app: WayToSignIn = { way: 'app', state: 'works', at: null };
  const { organisation } = facts;
  const byOrganisation: readonly WayToSignIn[] =
    organisation && organisation.state !== 'notLinked'
      ? [{ way: 'organisation', state: organisation.state, at: null }]
      : [];
  const ways = [
    ...byOrganisation,
    password,
    ...(facts.hasAppCode
      ? [app]
      : [byMessage('mail', true), byMessage('text', account.mobile !== '')]),
  ];
  if (account.status === 'active') return ways;
  return ways.map((way) => (way.state === 'works' ? { ...way, state: 'rests', at: null } : way));
}

/** Returns the helpers of the person who said yes. */
export async function helpersOfPerson(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  { account }: Person,
): Promise<PersonPage['helpers']> {
  return (await helpersInForce(db, account.id, clock.now())).map((row) => ({
    name: row.helperName || row.email,
    relation: row.relation,
    until: row.ends_at.getTime(),
  }));
}

/** Returns the change that waits, as the person's page tells it; `null`: none. */
export async function waitingChange(
  { db, config }: ServerContext,
  staff: Staff,
  { change }: Person,
): Promise<PersonPage['change']> {
  if (!change) return null;
  const names = await (staff.role === 'administrator'
    ? houseStaffNames({ db, config }, staff, [change.asked_by])
    : shownNamesOf(db, [change.asked_by]));
  const unknown = staff.role === 'administrator' ? auditDesk.anOperator : '';
  return {
    what: change.what,
    to: await shownValue(change),
    askedBy: names.get(change.asked_by) ?? unknown,
    askedAt: change.asked_at.getTime(),
    waitsFor:
      (change.due_at && 'time') ||
      (change.what === 'email' && change.opened_at === null ? 'mailbox' : 'agreement'),
    dueAt: change.due_at?.getTime() ?? null,
  };
}
