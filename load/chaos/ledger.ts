import { verify } from '@node-rs/argon2';
import type { Db } from '../../src/server/db/database.ts';
import type { Person } from './crowd.ts';
import type { Arrival, Outside } from './outside.ts';
import type { Report } from './report.ts';

/** Compares the answers to people with the database and the receivers. */
export async function checkLedger(
  report: Report,
  db: Db,
  { people, outside }: { readonly people: readonly Person[]; readonly outside: Outside },
): Promise<void> {
  const users = await db
    .selectFrom('users')
    .selectAll()
    .where('email_canonical', 'like', 'crowd-%')
    .execute();
  const registrations = await db
    .selectFrom('registrations')
    .select(['user_id', 'activated_at'])
    .execute();
  const roles = await db.selectFrom('user_roles').selectAll().execute();
  const events = await db
    .selectFrom('audit_events')
    .select('user_id')
    .where('kind', '=', 'account.activated')
    .execute();
  const signIns = await db
    .selectFrom('sign_ins')
    .select(['user_id', 'stage', 'verified_at', 'completed_at', 'ended_at'])
    .execute();
  const links = await db.selectFrom('reset_links').select(['user_id', 'used_at']).execute();
  const codes = await db
    .selectFrom('otp_codes')
    .select(['id', 'user_id', 'type', 'verified_at', 'closed_at', 'sign_in_id'])
    .execute();
  const jobs = await db
    .selectFrom('outbox')
    .select(['kind', 'idempotency_key', 'done_at', 'dead_at', 'last_error'])
    .execute();

  const byEmail = Map.groupBy(users, (user) => user.email_canonical);
  const formsOf = Map.groupBy(registrations, (form) => form.user_id);
  const rolesOf = Map.groupBy(roles, (role) => role.user_id);
  const eventsOf = Map.groupBy(events, (event) => event.user_id);
  const signInsOf = Map.groupBy(signIns, (signIn) => signIn.user_id);
  const linksOf = Map.groupBy(links, (link) => link.user_id);
  const codesOf = Map.groupBy(codes, (code) => code.user_id);
  const leadsOf = Map.groupBy(outside.leads(), (lead) => lead.whom);
  const mailsOf = Map.groupBy(outside.mails(), (mail) => mail.whom);

  const lost: string[] = [];
  const twice: string[] = [];
  const half: string[] = [];
  const unsent: string[] = [];
  for (const person of people) {
    const email = person.emailAddress;
    const said = (step: Parameters<typeof person.acknowledged.get>[0]) =>
      person.acknowledged.get(step) ?? 0;
    const [user, ...others] = byEmail.get(email) ?? [];
    if (others.length > 0) twice.push(`${email}: ${others.length + 1} accounts`);
    if (!user) {
      if (said('signUp')) lost.push(`${email}: the sign-up`);
      continue;
    }
    const isActive = user.status === 'active';
    const activated = (formsOf.get(user.id) ?? []).filter((form) => form.activated_at !== null);
    const granted = (rolesOf.get(user.id) ?? []).map((role) => role.role_id);
    const leads = leadsOf.get(email) ?? [];
    const complete = (signInsOf.get(user.id) ?? []).filter((one) => one.completed_at !== null);
    const isReset = (linksOf.get(user.id) ?? []).some((link) => link.used_at !== null);
    const { old, fresh } = person.passwords;
    const isRight = isActive && (await verify(user.password_hash ?? '', isReset ? fresh : old));

    if (said('signUp') && user.id !== person.userId) lost.push(`${email}: the id of the sign-up`);
    if (said('activate') && !isActive) lost.push(`${email}: the activation`);
    if (said('signIn') + said('signInAgain') > complete.length) lost.push(`${email}: a sign-in`);
    if (said('reset') && !isReset) lost.push(`${email}: the reset`);

    const activations = eventsOf.get(user.id) ?? [];
    if (activated.length > 1 || activations.length > 1) twice.push(`${email}: activated`);
    if (granted.length > 1) twice.push(`${email}: roles ${granted.join()}`);
    if (keysOf(leads).size > 1) twice.push(`${email}: ${keysOf(leads).size} leads`);
    const used = (codesOf.get(user.id) ?? []).filter((code) => code.verified_at !== null);
    const ofSignIns = used.flatMap((code) => code.sign_in_id ?? []);
    if (new Set(ofSignIns).size < ofSignIns.length) twice.push(`${email}: codes of one sign-in`);

    if (!formsOf.has(user.id)) half.push(`${email}: an account without its form`);
    if (isActive !== activated.length > 0) half.push(`${email}: ${user.status}, and its form not`);
    if (isActive && (!user.email_proven_at || !user.password_hash || activations.length === 0))
      half.push(`${email}: active without proof, password or event`);
    if (isActive !== granted.length > 0)
      half.push(`${email}: ${user.status} with roles ${granted.join()}`);
    if (isActive && person.isAcademy && leads.length === 0) half.push(`${email}: no lead`);
    if ((!isActive || !person.isAcademy) && leads.length > 0)
      half.push(`${email}: a lead too many`);
    if (isActive && !isRight) half.push(`${email}: its password is not the one of its reset link`);
    const isSpent = used.some((code) => code.type === 'USER_ACTIVATION' && code.closed_at !== null);
    if (isSpent && !isActive) half.push(`${email}: a code used up for nothing`);
    if (complete.some((one) => one.verified_at === null)) half.push(`${email}: in without a code`);

    const mails = keysOf(mailsOf.get(email) ?? []).size;
    const promised = said('sendCode') > 0 ? 1 : 0;
    const due = promised + said('signIn') + said('signInAgain') + (said('reset') > 0 ? 1 : 0);
    if (mails < due) unsent.push(`${email}: ${mails} mails of ${due}`);
  }
  // A code that was used, or replaced by another one, is not sent any more.
  const isOver = new Map(codes.map((code) => [code.id, code.verified_at ?? code.closed_at]));
  let needless = 0;
  for (const job of jobs) {
    if (job.done_at !== null) continue;
    const [, otpId = ''] = job.idempotency_key.split(':');
    if (job.last_error === 'expired' && isOver.get(otpId)) needless += 1;
    else unsent.push(`${job.kind} ${job.idempotency_key}: ${job.last_error}`);
  }
  report.count('messages nobody waited for any more', needless);
  for (const [what, all] of [
    ['mail', outside.mails()],
    ['text', outside.texts()],
    ['lead', outside.leads()],
  ] as const) {
    for (const [key, same] of Map.groupBy(all, (one) => one.key)) {
      if (new Set(same.map((one) => one.whom)).size > 1)
        twice.push(`${what} ${key}: two receivers`);
    }
    const again = all.length - keysOf(all).size;
    report.count(`${what}s received (again with the same key)`, `${all.length} (${again})`);
  }
  const total = (step: Parameters<Person['acknowledged']['get']>[0]) =>
    people.reduce((sum, person) => sum + (person.acknowledged.get(step) ?? 0), 0);
  report.count('sign-ups acknowledged', total('signUp'));
  report.count('activations acknowledged', total('activate'));
  report.count('sign-ins acknowledged', total('signIn') + total('signInAgain'));
  report.count('resets acknowledged', total('reset'));
  report.count(
    'leads due',
    people.filter((one) => one.isAcademy && one.acknowledged.has('activate')).length,
  );
  report.check('acknowledged and lost', lost);
  report.check('twice', twice);
  report.check('half', half);
  report.check('queued and not sent', unsent);
}

const keysOf = (all: readonly Arrival[]) => new Set(all.map((one) => one.key));
