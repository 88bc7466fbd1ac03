import { sql } from 'kysely';
import {
  type ConsoleRole,
  consoleRoleOf,
  type ConsoleStaff,
} from '#domain/help-desk/console-rights.ts';
import { MINUTE_MS } from '#domain/text/duration.ts';
import {
  consolePersonOf,
  consoleRoleIn,
  findActiveAccount,
  shownNameOf,
} from '../accounts/account-store.ts';
import { findSession, freshProof, isStrongProof } from '../access/freshness.ts';
import { signOut } from '../access/sessions.ts';
import type { Audit } from '../audit/audit.ts';
import { later } from '../core/clock.ts';
import type { ServerContext, Session } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { houseRolesOf } from '../people/house.ts';
import type { FullContext } from '../access/context.ts';
import { AppError } from '../http/app-error.ts';
import { FieldProblems } from './form-fields.ts';
import { consoleTexts as texts } from '#locales/operator/console.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { SharedDevices } from '../counter/shared-devices.ts';
import { recordSeen } from '../sign-in/move-attempts.ts';
import type { SignIns } from '../sign-in/sign-ins.ts';
import type { StateOf } from '../sign-in/visit-state.ts';
import type { StepUp } from '../forms/step-up.ts';
import { isSlideDue } from '../sign-in/session-lifetime.ts';
import type { Cookies } from '../core/cookies.ts';

/** Milliseconds after which an unused console asks for a new sign-in, whatever the settings of sessions (CON-01). */
export const CONSOLE_IDLE_MS = 15 * MINUTE_MS;
/** A verb asks for a code of the last five minutes; it changes no way in of the staff member. */
export const CONSOLE_PROOF = { withinMs: 5 * MINUTE_MS, byAnyCode: true } as const;

/** The staff member of a request. */
export type Staff = ConsoleStaff & {
  readonly name: string;
  readonly visit: Visit;
  readonly signInId: string;
  /** A proof of the last five minutes: a code or a passkey, by no contact that was changed within 72 hours. */
  readonly isFresh: boolean;
  /** The open page asks by itself. */
  readonly isFollowing: boolean;
};

/** Returns the house whose rows a staff member sees; `null`: an operator sees those of all. */
export const houseOf = ({ role, subtenantId }: Pick<Staff, 'role' | 'subtenantId'>) =>
  role === 'operator' ? null : subtenantId;

/** The actor of a staff member's events. */
export const staffActor = ({ id }: Pick<Staff, 'id'>) => `staff:${id}`;

/** Returns the account of a staff member's actor; an empty list for other actors. */
export const staffIdsIn = (actor: string | null): readonly number[] => {
  const [, id] = /^staff:(\d+)$/.exec(actor ?? '') ?? [];
  return id === undefined ? [] : [Number(id)];
};

/**
 * Returns the audit of a staff member's acts. An act writes its event in its own transaction, after every wait for a
 * lock: there the rights, the session and the proof of the request are read again, and an act without them is taken back
 * (CON-07).
 * @throws AppError NO_SESSION
 */
export const staffAudit =
  (context: Pick<ServerContext, 'db' | 'clock' | 'config' | 'audit'>, staff: Staff): Audit =>
  async (event, db = context.db) => {
    if (!(await isStill({ ...context, db }, staff))) throw new AppError('NO_SESSION');
    await context.audit({ ...event, actor: staffActor(staff) }, db);
  };

/**
 * Refuses an act that a code by mail does not open. Asked in the act's transaction.
 * @throws FieldProblems
 */
export async function requireStrong(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  { id: userId, signInId }: Staff,
): Promise<void> {
  const isStrong = await isStrongProof({ db, clock }, { userId, signInId }, CONSOLE_PROOF);
  if (!isStrong) throw new FieldProblems({ form: texts.needsStrong });
}

async function isStill(
  { db, clock, config }: Pick<ServerContext, 'db' | 'clock' | 'config'>,
  { id, subtenantId, role, signInId, isFresh }: Staff,
): Promise<boolean> {
  const session = { userId: id, signInId };
  if (role === 'administrator') await holdHouse(db, session, subtenantId);
  const account = await findActiveAccount(db, id);
  if (account?.subtenant_id !== subtenantId) return false;
  if (consoleRoleOf(consolePersonOf(account), config.console) !== role) return false;
  if (isFresh) return (await freshProof({ db, clock }, session, CONSOLE_PROOF)) !== null;
  return (await findSession(db, session)) !== undefined;
}

/** Locks account, right, list and session of an administrator: whatever takes one of them away waits for the act (11.9). */
async function holdHouse(db: Db, { userId, signInId }: Session, subtenantId: number) {
  // The account first: a move and a closing hold it, and then end the right.
  await sql`select from users join house_administrators as held on held.user_id = users.id
    join sign_ins on sign_ins.id = ${signInId}
    join subtenants on subtenants.id = ${subtenantId}
    where held.user_id = ${userId} for share`.execute(db);
}

/** The result: a staff member, or the reason why the request opens no page of the console. */
export type StaffOrNot = Staff | 'noSession' | 'idle' | 'noRights' | 'sharedDevice';

/** @param isFollowing the page itself asks, to follow along: no press, so the idle time goes on */
export type FindStaff = (cookies: Cookies, isFollowing: boolean) => Promise<StaffOrNot>;

type Ports = {
  readonly signIns: Pick<SignIns, 'findVisit'>;
  readonly stateOf: StateOf;
  readonly isFreshIn: StepUp['isFreshIn'];
  /** The console shows other people: a device that others use next does not open it. */
  readonly sharedDevices: Pick<SharedDevices, 'isShared'>;
};

const listOf = async (db: Db, role: ConsoleRole, subtenantId: number) =>
  role === 'administrator' ? houseRolesOf(db, subtenantId) : [];

/** Creates the lookup of staff: a session in a browser that the account knows, of an account with console rights. */
export function createFindStaff(context: FullContext, ports: Ports): FindStaff {
  const { db, clock, config, outbox } = context;

  return async (cookies, isFollowing) => {
    if (await ports.sharedDevices.isShared(cookies)) return 'sharedDevice';
    const visit = await ports.signIns.findVisit(cookies);
    const state = visit && (await ports.stateOf(visit, { isForSwitcher: true, cookies }));
    const { loggedInUserId: id = 0, signInId = '' } = state?.login ?? {};
    if (!visit || signInId === '') return 'noSession';
    const account = await findActiveAccount(db, id);
    if (!account) return 'noSession';
    const session = await db
      .selectFrom('sign_ins')
      .select(['seen_at', 'amr'])
      .where('id', '=', signInId)
      .executeTakeFirst();
    if (!session) return 'noSession';
    const { subtenant_id: subtenantId } = account;
    const role = consoleRoleIn(account, session, config.console);
    if (role === null) return 'noRights';
    const now = clock.now();
    if (later(session.seen_at, CONSOLE_IDLE_MS) <= now) {
      await signOut(context, { id }, signInId);
      outbox.wake();
      return 'idle';
    }
    if (!isFollowing && isSlideDue(session.seen_at, now)) await recordSeen(db, signInId, now);
    const isFresh = await ports.isFreshIn({ loggedInUserId: id, signInId }, CONSOLE_PROOF);
    const name = shownNameOf(account);
    const houseRoles = await listOf(db, role, subtenantId);
    const person = consolePersonOf(account);
    return { ...person, houseRoles, role, name, visit, signInId, isFresh, isFollowing };
  };
}
