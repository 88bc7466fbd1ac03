/** What proves a change by staff: older ways in of the account, and what a session was opened with. */

import { sql } from 'kysely';
import { type ChangeProof, effectOfProof, OLDER_DAYS } from '#domain/proofs/staff-change-proofs.ts';
import { type Contact, OTP_MEDIUM } from '#domain/proofs/otp.ts';
import { DAY_MS, MINUTE_MS } from '#domain/text/duration.ts';
import type { Account } from '../accounts/account-store.ts';
import { hasOrganisationMailbox } from '../accounts/organisation-links.ts';
import { contactsThatOpen } from '../accounts/proven-contacts.ts';
import type { StaffChange } from '../accounts/staff-change-store.ts';
import { findAppCode } from '../proofs/authenticator/app-code-store.ts';
import { later } from '../core/clock.ts';
import { listKeys } from '../proofs/passkeys/key-store.ts';
import type { DeedContext } from '../access/context.ts';
import { freshProof } from '../access/freshness.ts';

type Context = Pick<DeedContext, 'db' | 'clock'>;

const FRESH_MS = 10 * MINUTE_MS;

/** The older ways in of an account, which may prove a change of the others. */
export type OlderWays = Readonly<Record<Exclude<ChangeProof, 'password'>, boolean>> & {
  /** The account has a passkey or an app code, however new. */
  readonly isStrong: boolean;
};

/** What a person shows for a change: the code to the phone, the link in the account's mailbox, or a session. */
export type ShownProof =
  | { readonly by: 'phone' | 'email' }
  | {
      readonly by: 'session';
      readonly session: { readonly loggedInUserId: number; readonly signInId: string };
    };

/** Returns which ways in were there before a change was asked for, since the sign-up or for 30 days. */
export async function olderWays(
  { db, clock }: Context,
  account: Account,
  { asked_at: askedAt }: StaffChange,
): Promise<OlderWays> {
  const since = later(clock.now(), -OLDER_DAYS * DAY_MS);
  const changes = await db
    .selectFrom('contact_changes')
    .select('contact')
    .where('user_id', '=', account.id)
    .where('changed_at', '>', since)
    .where('closed_at', 'is', null)
    .execute();
  const opens = await contactsThatOpen(db, account.id, clock.now());
  const isOlder = (contact: Contact, provenAt: Date | null) =>
    opens.has(contact) &&
    provenAt !== null &&
    provenAt < askedAt &&
    !changes.some((each) => each.contact === contact);
  // A key or an app is set up after the sign-up: its first day counts as the sign-up.
  const firstDay = account.activated_at && later(account.activated_at, DAY_MS);
  const isOld = (addedAt: Date) => addedAt <= since || (firstDay !== null && addedAt <= firstDay);
  const app = await findAppCode(db, account.id);
  const keys = await listKeys(db, account.id);
  return {
    isStrong: app !== undefined || keys.length > 0,
    // A mailbox of the organisation is none of the person's own.
    email:
      isOlder('email', account.email_proven_at) && !(await hasOrganisationMailbox(db, account.id)),
    phone: isOlder('phone', account.phone_proven_at),
    appCode: app !== undefined && isOld(app.added_at),
    // A session does not say by which key it began: one new key, and none of them is a proof.
    key: keys.length > 0 && keys.every(({ added_at: addedAt }) => isOld(addedAt)),
  };
}

/** Returns whether an older way in, as it is shown here, makes a change take effect. */
export async function isProven(
  context: Context,
  account: Account,
  change: StaffChange,
  shown: ShownProof,
): Promise<boolean> {
  const ways = await olderWays(context, account, change);
  const proofs = shown.by === 'session' ? await proofsOf(context, account, shown) : [shown.by];
  return proofs.some(
    (proof) => ways[proof] && effectOfProof(change.what, proof, ways.isStrong) === 'now',
  );
}

/** Returns whether a session was opened with a passkey or a code of the app within ten minutes, however new. */
export async function isByKeyOrApp(
  context: Context,
  account: Account,
  session: { readonly loggedInUserId: number; readonly signInId: string },
): Promise<boolean> {
  const proofs = await proofsOf(context, account, { by: 'session', session });
  return proofs.some((proof) => proof === 'key' || proof === 'appCode');
}

/** Returns what a session of the account was opened or proved again with, within ten minutes. */
async function proofsOf(
  context: Context,
  account: Account,
  { session: { loggedInUserId: userId, signInId } }: ShownProof & { readonly by: 'session' },
): Promise<readonly Exclude<ChangeProof, 'password'>[]> {
  const isFresh = (await freshProof(context, { userId, signInId })) !== null;
  if (!isFresh || userId !== account.id) return [];
  const since = later(context.clock.now(), -FRESH_MS);
  const codes = await context.db
    .selectFrom('otp_codes')
    .select(['medium', 'proven'])
    .where('sign_in_id', '=', signInId)
    .where('type', 'in', ['TWOFACTORAUTHENTICATION', 'STEP_UP'])
    .where('verified_at', '>', since)
    .execute();
  const byKey = await context.db
    .selectFrom('sign_ins')
    .select('id')
    .where('id', '=', signInId)
    .where('verified_at', '>', since)
    .where(sql<boolean>`'pop' = any(amr)`)
    .executeTakeFirst();
  return [
    ...codes.flatMap(({ medium, proven }) =>
      medium === OTP_MEDIUM.app ? 'appCode' : (proven ?? []),
    ),
    ...(byKey ? (['key'] as const) : []),
  ];
}
