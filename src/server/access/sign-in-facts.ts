import { roleChoices, routeAfterLogin, routeChoice } from '#domain/people/role-routing.ts';
import { canonicalEmail } from '#domain/typed/validation.ts';
import type { LastMessage, SignInFacts } from '#domain/help-desk/why-cannot-sign-in.ts';
import { MINUTE_MS } from '#domain/text/duration.ts';
import { createRateLimits } from '../abuse/rate-limits.ts';
import {
  type Account,
  findRoleIds,
  isOnlyByOrganisation,
  readAccount,
} from '../accounts/account-store.ts';
import { linkOf, triedWithoutLink, wasAway } from '../accounts/organisation-links.ts';
import { waitingChangeOf } from '../accounts/staff-change-store.ts';
import { later } from '../core/clock.ts';
import { findAppCode } from '../proofs/authenticator/app-code-store.ts';
import type { Db } from '../db/database.ts';
import type { DeedContext } from './context.ts';
import { messagesToAccounts } from './person-messages.ts';
import { passwordUsesOf } from './unlock.ts';

type Context = Pick<DeedContext, 'db' | 'clock' | 'config' | 'secretBox'>;

/** So long a failed call to an organisation's provider is told. */
const AWAY_MS = 30 * MINUTE_MS;

const STEPS: Readonly<Record<string, SignInFacts['lastStep']>> = {
  'signIn.wrongPassword': 'wrongPassword',
  'signIn.password': 'codeSent',
  'otp.sent': 'codeSent',
  'otp.askedOfApp': 'codeSent',
  'otp.wrong': 'wrongCode',
  'otp.verified': null,
  'signIn.complete': null,
  'account.signedOut': null,
};

/** Reads the facts for `whyCannotSignIn`. */
export async function signInFactsOf(context: Context, account: Account): Promise<SignInFacts> {
  const { db, clock } = context;
  const roleIds = await findRoleIds(db, account.id);
  const { since, lastStep } = await lastStepOf(db, account.id);
  const messages = (await messagesToAccounts(db, [account.id])).filter(
    ({ queued_at }) => since === null || queued_at > since,
  );
  const last = (isMail: boolean): LastMessage =>
    messages.find(({ channel }) => channel !== 'voice' && (channel === 'email') === isMail) ?? null;
  return {
    status: account.status,
    hasPassword: account.password_hash !== null,
    lockedUntil: await lockedUntil(context, account),
    changeUntil: (await waitingChangeOf(db, account.id, clock.now()))?.due_at ?? null,
    isRouted: routeAfterLogin(roleIds, 'portal').kind !== 'unauthorized',
    missingModule: missingModuleOf(context, roleIds),
    hasAppCode: (await findAppCode(db, account.id)) !== undefined,
    lastMail: last(true),
    lastText: last(false),
    organisation: await organisationOf(context, account.id, since),
    lastStep,
  };
}

/** @param since the account's last sign-in */
async function organisationOf(
  { db, clock, config }: Context,
  userId: number,
  since: Date | null,
): Promise<SignInFacts['organisation']> {
  const account = await readAccount(db, userId);
  const standing = account?.organisation;
  if (!account || !standing) {
    const label = await triedWithoutLink(db, userId, since ?? new Date(0));
    return label === null ? null : { label, state: 'notLinked', isOnly: false };
  }
  const { id, label, isAdmitted } = standing;
  if ((await linkOf(db, userId))?.off_at) return { label, state: 'off', isOnly: false };
  if (!isAdmitted) return null;
  const isOnly = isOnlyByOrganisation(account, config.console);
  const isAway = await wasAway(db, id, later(clock.now(), -AWAY_MS));
  return { label, state: isAway ? 'away' : 'works', isOnly };
}

/** Returns the newest step, and the time of the account's last sign-in. */
async function lastStepOf(db: Db, userId: number) {
  const [newest] = await db
    .selectFrom('audit_events')
    .select('kind')
    .where('user_id', '=', userId)
    .where('kind', 'in', Object.keys(STEPS))
    .orderBy('id', 'desc')
    .limit(1)
    .execute();
  const [complete] = await db
    .selectFrom('audit_events')
    .select('at')
    .where('user_id', '=', userId)
    .where('kind', '=', 'signIn.complete')
    .orderBy('id', 'desc')
    .limit(1)
    .execute();
  return { since: complete?.at ?? null, lastStep: newest ? (STEPS[newest.kind] ?? null) : null };
}

async function lockedUntil(context: Context, { id, email }: Account): Promise<Date | null> {
  const uses = await passwordUsesOf(context.db, { ids: [id], emails: [canonicalEmail(email)] });
  return uses.length === 0 ? null : createRateLimits(context).fullUntil(...uses);
}

/** Returns an app of one of the roles that the operator's file does not name. A demo has all of them. */
function missingModuleOf({ config }: Context, roleIds: readonly number[]): string | null {
  if (config.mode === 'demo') return null;
  const direct = routeAfterLogin(roleIds, 'portal');
  const ways =
    direct.kind === 'module'
      ? [direct]
      : roleChoices(roleIds).flatMap((choice) => routeChoice(roleIds, choice) ?? []);
  const wanted = ways.map(({ entry }) => entry.module);
  return wanted.find((name) => !config.modules.some(({ id }) => id === name)) ?? null;
}
