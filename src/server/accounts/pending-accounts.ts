import type { Selectable } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';
import type { SignUp, User } from './users.ts';

type Registration = Selectable<Tables['registrations']>;

/** A filled-in form as it was sent, with another address; the password is there as its hash alone. */
export function toSignUp(form: Registration, email: string): SignUp {
  return {
    subtenantId: form.subtenant_id,
    signUpPlatform: 1,
    roleId: form.role_id,
    firstName: form.first_name,
    lastName: form.last_name,
    dialCode: form.dial_code,
    phone: form.mobile,
    email,
    userName: email,
    password: '',
    promoCode: form.promo_code,
  };
}

/** An address that was wrong: its form goes with codes and links, and the account that nobody else asked for too. */
export async function discard(
  transaction: Db,
  form: Registration,
  newUserId: number,
): Promise<void> {
  const { id, user_id: userId } = form;
  await transaction.deleteFrom('registrations').where('id', '=', id).execute();
  const isWanted = await transaction
    .selectFrom('registrations')
    .select('id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (isWanted) return;
  const answers = await transaction
    .selectFrom('survey_answers')
    .selectAll()
    .where('user_id', '=', userId)
    .execute();
  if (answers.length > 0) {
    await transaction.deleteFrom('survey_answers').where('user_id', '=', userId).execute();
    await transaction
      .insertInto('survey_answers')
      .values(answers.map((answer) => ({ ...answer, user_id: newUserId })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await transaction
    .deleteFrom('users')
    .where('id', '=', userId)
    .where('status', '=', 'pending')
    .execute();
}

/** The one pending row that stands in for an account (enumeration `strict`); no address leads to it. */
export async function ensureDecoyAccount(
  transaction: Db,
  account: User,
  signUp: SignUp,
  newId: number,
): Promise<User> {
  await transaction
    .insertInto('users')
    .values({
      id: newId,
      email: signUp.email,
      email_canonical: `shadow:${account.id}`,
      first_name: signUp.firstName,
      last_name: signUp.lastName,
      dial_code: signUp.dialCode,
      mobile: signUp.phone,
      password_hash: null,
      status: 'pending',
      sign_up_platform: signUp.signUpPlatform,
      subtenant_id: signUp.subtenantId,
      created_at: account.created_at,
      activated_at: null,
      trial_ends_at: null,
      shadow_of: account.id,
    })
    .onConflict((conflict) => conflict.column('shadow_of').doNothing())
    .execute();
  return transaction
    .selectFrom('users')
    .selectAll()
    .where('shadow_of', '=', account.id)
    .forUpdate()
    .executeTakeFirstOrThrow();
}
