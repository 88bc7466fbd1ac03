/** The columns of an account that belong to its user at an Auth0 tenant (decisions 045, 046). */

import type { Db } from '../db/database.ts';
import { updateAccount } from './account-store.ts';

/** Links an account to its user at the tenant, which alone holds the password from now on. */
export async function linkHostedUser(db: Db, id: number, hostedUserId: string): Promise<void> {
  const linked = { hosted_user_id: hostedUserId, hosted_job_id: null, password_hash: null };
  await updateAccount(db, id, linked);
  await db
    .updateTable('registrations')
    .set({ password_hash: null })
    .where('user_id', '=', id)
    .execute();
}

/** Records the import that makes the user at the tenant; `null`: none is under way. */
export const setHostedJob = (db: Db, id: number, jobId: string | null): Promise<void> =>
  updateAccount(db, id, { hosted_job_id: jobId });

/** Forgets our password hash of an account whose user at the tenant was made by a stranger. */
export const forgetPassword = (db: Db, id: number): Promise<void> =>
  updateAccount(db, id, { password_hash: null, hosted_job_id: null });
