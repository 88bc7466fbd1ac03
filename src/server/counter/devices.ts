/** Shared devices (decision 210): switched on, used by one person after another, and switched off. */

import type { Selectable } from 'kysely';
import { counterClearsAt } from '#domain/people/counter-mode.ts';
import { hashToken, randomId, randomToken } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';
import { forEachRow } from '../db/each-row.ts';
import { endAttempts } from '../sign-in/move-attempts.ts';
import type { DeedContext } from '../access/context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { sessionEndings } from '../access/sessions.ts';

/** A device whose mode is on. */
export type SharedDevice = Omit<Selectable<Tables['shared_devices']>, 'token_hash'>;

/** Why the use of a person ended. */
export type ClearedBy = 'finished' | 'time' | 'staff';

const COLUMNS = [
  'id',
  'subtenant_id',
  'name',
  'switched_on_by',
  'created_at',
  'seen_at',
  'ended_at',
  'visit_id',
  'started_at',
  'clears_at',
] as const;

const living = (db: Db) =>
  db.selectFrom('shared_devices').select(COLUMNS).where('ended_at', 'is', null);

/** Returns the device of a cookie; `null` for a forged one, and for a device whose mode has ended. */
export async function findDevice(db: Db, token: string): Promise<SharedDevice | null> {
  const row = await living(db).where('token_hash', '=', hashToken(token)).executeTakeFirst();
  return row ?? null;
}

/**
 * Returns the devices whose mode is on, the newest first, each with the name of who switched it on.
 * @param subtenantId `null` for all
 */
export async function listDevices(
  db: Db,
  subtenantId: number | null,
): Promise<readonly (SharedDevice & { readonly by: string; readonly subtenant: string })[]> {
  const rows = await db
    .selectFrom('shared_devices')
    .innerJoin('subtenants', 'subtenants.id', 'shared_devices.subtenant_id')
    .leftJoin('users', 'users.id', 'shared_devices.switched_on_by')
    .select(COLUMNS.map((column) => `shared_devices.${column}` as const))
    .select(['users.first_name', 'users.last_name', 'subtenants.name as subtenant'])
    .where('shared_devices.ended_at', 'is', null)
    .$if(subtenantId !== null, (query) =>
      query.where('shared_devices.subtenant_id', '=', subtenantId ?? 0),
    )
    .orderBy('shared_devices.created_at', 'desc')
    .execute();
  return rows.map(({ first_name, last_name, ...device }) => ({
    ...device,
    by: [first_name, last_name].filter(Boolean).join(' '),
  }));
}

/**
 * Makes a browser a shared device, and ends the staff member's session there.
 * @returns the token of its cookie
 */
export async function switchOn(
  context: DeedContext,
  by: { readonly id: number; readonly subtenantId: number; readonly visitId: string },
  name: string,
): Promise<string> {
  const token = randomToken();
  const now = context.clock.now();
  const id = randomId();
  await inTransaction(context.db, async (transaction) => {
    await transaction
      .insertInto('shared_devices')
      .values({
        id,
        subtenant_id: by.subtenantId,
        name,
        token_hash: hashToken(token),
        switched_on_by: by.id,
        created_at: now,
        seen_at: now,
      })
      .execute();
    await endVisit(context, transaction, by.visitId);
    const details = { device: id, subtenantId: by.subtenantId };
    await context.audit({ kind: 'sharedDevice.on', userId: by.id, details }, transaction);
  });
  return token;
}

/** Ends the mode of a device, and the use of it. @returns whether it was on */
export async function switchOff(context: DeedContext, device: SharedDevice): Promise<boolean> {
  const { id, subtenant_id: subtenantId } = device;
  return inTransaction(context.db, async (transaction) => {
    const ended = await transaction
      .updateTable('shared_devices')
      .set({ ended_at: context.clock.now(), clears_at: null })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .returning('visit_id')
      .executeTakeFirst();
    if (!ended) return false;
    if (ended.visit_id !== null) await endVisit(context, transaction, ended.visit_id);
    const details = { device: id, subtenantId };
    await context.audit({ kind: 'sharedDevice.off', details }, transaction);
    return true;
  });
}

/**
 * Records a key or a press of the person who uses the device. It extends no use whose time is over.
 * @returns the device as it is now; `null` when the use has ended
 */
export async function recordUse(
  { db, clock }: Pick<DeedContext, 'db' | 'clock'>,
  device: SharedDevice,
  wishes: { readonly isUntimed: boolean },
): Promise<SharedDevice | null> {
  const now = clock.now();
  const startedAt = device.started_at ?? now;
  const row = await db
    .updateTable('shared_devices')
    .set({
      seen_at: now,
      started_at: startedAt,
      clears_at: counterClearsAt(startedAt, now, wishes),
    })
    .where('id', '=', device.id)
    .where('ended_at', 'is', null)
    // Of two requests at once, the other may have cleared the device.
    .where('started_at', 'is not distinct from', device.started_at)
    .where((eb) => eb.or([eb('clears_at', 'is', null), eb('clears_at', '>', now)]))
    .returning(COLUMNS)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Records which visit the device's person has. A visit that was signed in elsewhere is ended instead: its cookie was
 * brought here. While a person is signed in, or between password and code, no other visit takes their place: it may
 * come from a copy of the device's cookie.
 */
export async function bindVisit(
  context: DeedContext,
  device: SharedDevice,
  visitId: string,
): Promise<void> {
  if (device.visit_id === visitId) return;
  await inTransaction(context.db, async (transaction) => {
    const signedIn = await transaction
      .selectFrom('sign_ins')
      .select('id')
      .where('visit_id', '=', visitId)
      .where('stage', '=', 'complete')
      .executeTakeFirst();
    if (signedIn) return endVisit(context, transaction, visitId);
    if (device.visit_id !== null) {
      const inUse = await transaction
        .selectFrom('sign_ins')
        .select('id')
        .where('visit_id', '=', device.visit_id)
        .where('stage', 'in', ['otp', 'verified', 'complete'])
        .executeTakeFirst();
      if (inUse) return;
      await endVisit(context, transaction, device.visit_id);
    }
    const now = context.clock.now();
    const startedAt = device.started_at ?? now;
    const at = device.clears_at ?? counterClearsAt(startedAt, now, { isUntimed: false });
    await transaction
      .updateTable('shared_devices')
      .set({ visit_id: visitId, started_at: startedAt, clears_at: at })
      .where('id', '=', device.id)
      .execute();
  });
}

/** Ends the use of a device: session, hosted session and grants; modules and applications are told. */
export async function clearDevice(
  context: DeedContext,
  { id }: Pick<SharedDevice, 'id'>,
  by: ClearedBy,
): Promise<void> {
  await inTransaction(context.db, async (transaction) => {
    const device = await transaction
      .selectFrom('shared_devices')
      .select(['visit_id', 'started_at', 'subtenant_id'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!device?.started_at) return;
    await transaction
      .updateTable('shared_devices')
      .set({ visit_id: null, started_at: null, clears_at: null })
      .where('id', '=', id)
      .execute();
    if (device.visit_id !== null) await endVisit(context, transaction, device.visit_id);
    const details = { device: id, by, subtenantId: device.subtenant_id };
    await context.audit({ kind: 'sharedDevice.cleared', details }, transaction);
  });
}

/** Clears the devices whose time is over, also where no browser asks any more. @throws RowsFailed */
export async function clearOverdue(context: DeedContext, signal?: AbortSignal): Promise<void> {
  const due = await living(context.db).where('clears_at', '<=', context.clock.now()).execute();
  await forEachRow(due, (device) => clearDevice(context, device, 'time'), signal);
}

/** Ends what a visit has: its sign-ins with hosted sessions, grants and codes, and its cookie, without which no code of it is of use. */
async function endVisit(context: DeedContext, transaction: Db, visitId: string): Promise<void> {
  const now = context.clock.now();
  const { hosted, recordEnded, sessionEnded } = sessionEndings(context, transaction);
  const begun = await transaction
    .selectFrom('sign_ins')
    .select('hosted_uid')
    .where('visit_id', '=', visitId)
    .where('hosted_uid', 'is not', null)
    .execute();
  await endAttempts(transaction, (eb) => eb('visit_id', '=', visitId), { now, recordEnded });
  for (const uid of new Set(begun.map(({ hosted_uid }) => hosted_uid))) {
    if (uid !== null) await hosted.end(uid, sessionEnded);
  }
  await transaction
    .updateTable('visits')
    .set({ token_hash: hashToken(randomToken()), previous_hash: null, previous_until: null })
    .where('id', '=', visitId)
    .execute();
}
