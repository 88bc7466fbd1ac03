import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { parseActivationLink } from '#domain/proofs/activation-link.ts';
import { createSecretBox } from '../../src/server/crypto/secret-box.ts';
import { type Db, openDatabase } from '../../src/server/db/database.ts';
import { readInbox } from '../../src/server/testing/inbox.ts';
import type { Instances } from '../../src/server/testing/instances.ts';
import { activation, PASSWORD, type Visitor } from '../../src/server/testing/visitor.ts';
import { createWire, SPA, SPA_ORIGIN } from '../../src/server/testing/wire.ts';
import { ownPostgres } from './own-database.ts';
import { startPair } from './pair.ts';
import { onPostgresOnly, type Run } from './run.ts';
import { temporaryFolder } from './temporary-folder.ts';

const SIZES = [2, 8, 64];
const ROUNDS = 3;
const CAP = 5;
const PROMO_AT_ONCE = 4;
const SECRET = 'the-secret-of-the-race-harness-long-enough';

/** The allowed and the actual outcome of a race. `busy`: answers that ask to come again (503). */
type Outcome = { readonly won: number; readonly most: number; readonly busy: number };
type Contest = { readonly name: string; race(size: number): Promise<Outcome> };

/** Everything that may happen once, tried by many at the same moment at two instances. */
export async function runRace(run: Run): Promise<void> {
  onPostgresOnly(run);
  const { report, signal } = run;
  const rounds = run.rounds ?? ROUNDS;
  const url = await ownPostgres(run);
  const instances = await startPair(run, {
    DATABASE_URL: url,
    PORCHLIGHT_SECRET: SECRET,
    LOG_LEVEL: 'fatal',
    PORCHLIGHT_CLIENTS_FILE: clientsFile(temporaryFolder(run)),
    // The real cap for passwords, and a proof of work from the second sign-up of a network on.
    PORCHLIGHT_LIMITS: JSON.stringify({
      passwordPerAccountAndIp: { max: CAP },
      signUpProofPerIp: { max: 1 },
    }),
  });
  const { db, close } = await openDatabase({ url });
  run.onEnd(close);

  const wrong: string[] = [];
  const rows: string[][] = [];
  for (const contest of contestsOf(instances, db)) {
    const cells: string[] = [];
    for (const size of SIZES) {
      const outcomes: Outcome[] = [];
      for (let round = 0; round < rounds; round += 1) {
        signal.throwIfAborted();
        const outcome = await contest.race(size);
        outcomes.push(outcome);
        const { won, most, busy } = outcome;
        // Whoever was asked to come again may have been one of those who had won.
        const isRight = won === most || (won < most && won > 0 && busy > 0);
        if (!isRight) wrong.push(`${contest.name}, K = ${size}: ${won} of ${most}`);
      }
      const won = [...new Set(outcomes.map((outcome) => outcome.won))].join(' or ');
      const busy = outcomes.reduce((sum, outcome) => sum + outcome.busy, 0);
      cells.push(`${won} of ${outcomes[0]?.most}${busy > 0 ? ` (${busy} x 503)` : ''}`);
    }
    rows.push([contest.name, ...cells]);
    report.say(`raced: ${contest.name}`);
  }
  report.say('');
  report.table(['won of allowed', ...SIZES.map((size) => `K = ${size}`)], rows);
  report.count('rounds of each', rounds);
  report.check('races with another number of winners than allowed', wrong);
}

function clientsFile(folder: string): string {
  const file = path.join(folder, 'clients.json');
  const page = {
    id: SPA,
    name: 'Page',
    redirectUris: [`${SPA_ORIGIN}/callback`],
    webOrigins: [SPA_ORIGIN],
    firstParty: true,
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    grants: ['authorization_code', 'refresh_token'],
  };
  writeFileSync(file, JSON.stringify([page]));
  return file;
}

function contestsOf(instances: Instances, db: Db): readonly Contest[] {
  const { balancer } = instances;
  const wire = createWire(balancer);
  let people = 0;
  const newEmail = () => `race-${(people += 1)}@example.test`;
  const times = <T>(size: number, one: (n: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: size }, (_, n) => one(n)));
  const busyOf = (answers: readonly { readonly status: number }[]) =>
    answers.filter(({ status }) => status === 503).length;
  /** Answers with a yes. */
  const yesOf = (
    answers: readonly { readonly status: number; readonly succeeded: boolean }[],
    most = 1,
  ): Outcome => ({
    won: answers.filter(({ succeeded }) => succeeded).length,
    most,
    busy: busyOf(answers),
  });

  async function events(kind: string, userId: number): Promise<number> {
    const { total } = await db
      .selectFrom('audit_events')
      .select((eb) => eb.fn.countAll().as('total'))
      .where('kind', '=', kind)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return Number(total);
  }
  async function count(from: 'users' | 'user_roles', where: ReturnType<typeof sql>) {
    const { rows } = await sql<{ total: number }>`
      select count(*) as total from ${sql.table(from)} where ${where}`.execute(db);
    return Number(rows[0]?.total);
  }

  async function active(): Promise<{ readonly email: string; readonly userId: number }> {
    const email = newEmail();
    const { userId } = await instances.visitor().register({ emailAddress: email });
    return { email, userId };
  }

  /** At the code screen, with the code in hand. */
  async function waiting(more: Parameters<Visitor['signUp']>[0] = {}) {
    const visitor = instances.visitor();
    const email = more.emailAddress ?? newEmail();
    const created = (await visitor.signUp({ ...more, emailAddress: email })).data;
    if (!created) throw new Error('Nobody signed up');
    const { userId } = created;
    const sent = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data;
    const code = await instances.codeFor(email);
    return { visitor, email, userId, created, otpId: sent?.id ?? '', code };
  }

  /** The code is read; what is left is its use. */
  async function proven(more?: Parameters<Visitor['signUp']>[0]) {
    const person = await waiting(more);
    const { visitor, userId, created, otpId, code } = person;
    await visitor.ok('verifyOtp', { body: { id: otpId, createdBy: userId, otp: code } });
    return { ...person, body: activation(created, otpId) };
  }

  async function signedIn(): Promise<Visitor> {
    const visitor = instances.visitor();
    await visitor.signIn('member');
    return visitor;
  }

  async function resetForms(size: number) {
    const { email } = await active();
    const visitor = instances.visitor();
    await visitor.ok('forgotPassword', { body: { userName: email, emailID: email } });
    for (const port of instances.ports) await readInbox(`http://127.0.0.1:${port}`, email);
    const mails = await readInbox(balancer.url, email);
    const link = mails.find((mail) => mail.link?.includes('resetLinkKey'))?.link ?? '';
    const resetKey = new URL(link).searchParams.get('resetLinkKey') ?? '';
    return times(size, async () => {
      const own = instances.visitor();
      const found = await own.ok('getResetUser', { params: { resetKey, ip: '::1' } });
      if (!found) throw new Error('The link leads to nobody');
      return { own, found };
    });
  }

  return [
    {
      name: 'account',
      async race(size) {
        const emailAddress = newEmail();
        const answers = await times(size, () => instances.visitor().signUp({ emailAddress }));
        const won = await count('users', sql`email_canonical = ${emailAddress}`);
        return { won, most: 1, busy: busyOf(answers) };
      },
    },
    {
      name: 'code',
      async race(size) {
        const { visitor, userId, otpId, code } = await waiting();
        const answers = await times(size, () => visitor.verify(otpId, userId, code));
        return { won: await events('otp.verified', userId), most: 1, busy: busyOf(answers) };
      },
    },
    {
      name: 'activation',
      async race(size) {
        const { visitor, userId, body } = await proven();
        const answers = await times(size, () => visitor.call('activateUser', { body }));
        return { won: await events('account.activated', userId), most: 1, busy: busyOf(answers) };
      },
    },
    {
      name: 'link',
      async race(size) {
        const { email, userId, created } = await waiting();
        const mail = (await readInbox(balancer.url, email)).find(({ link }) =>
          link?.includes('/Activation?'),
        );
        const query = new URL(mail?.link ?? '').searchParams;
        const link = parseActivationLink(query.get('UID'), query.get('SUP'));
        if (!link) throw new Error('No link');
        const body = {
          userRegstrtnId: link.registrationId,
          userId: link.userId,
          activationKey: link.key,
          signUpPlatform: link.platform,
        };
        const answers = await times(size, async () => {
          const visitor = instances.visitor();
          const confirmed = await visitor.call('confirmLink', { body });
          if (!confirmed.data) return confirmed;
          const claim = activation(created, confirmed.data.otpId);
          return visitor.call('activateUser', { body: claim });
        });
        return { won: await events('account.activated', userId), most: 1, busy: busyOf(answers) };
      },
    },
    {
      name: 'reset',
      async race(size) {
        const forms = await resetForms(size);
        const answers = await times(size, async (n) => {
          const { own, found } = forms[n] ?? {};
          if (!own || !found) throw new Error('No form');
          const { userName, userId, hostedUserId, forgotPasswordId } = found;
          const password = `${PASSWORD}-${n}`;
          const body = { userName, userId, hostedUserId: hostedUserId ?? '', password };
          return own.call('updatePassword', { body: { ...body, forgotPasswordId } });
        });
        return yesOf(answers);
      },
    },
    {
      name: 'login ticket',
      async race(size) {
        const { email, userId } = await active();
        const visitor = instances.visitor();
        await visitor.ok('getVisit', {});
        const begun = await times(size, () => visitor.begin(true));
        const { ticket } = await visitor.authenticate(email, PASSWORD);
        // Each with a sign-in of its own, so that nothing but the ticket decides.
        await times(size, async (n) => visitor.authorize(begun[n]?.authorizeUrl ?? '', ticket));
        return { won: await events('signIn.password', userId), most: 1, busy: 0 };
      },
    },
    {
      name: 'code of the own backend',
      async race(size) {
        const visitor = await signedIn();
        const silent = await visitor.authorize((await visitor.begin(false)).authorizeUrl);
        return yesOf(await times(size, () => visitor.record(silent)));
      },
    },
    {
      name: 'hand-off',
      async race(size) {
        const visitor = await signedIn();
        const choice = { choice: null, entrance: 'portal' } as const;
        const { url } = await visitor.ok('issueHandoff', { body: choice });
        const token = Buffer.from(
          new URL(url).searchParams.get('token') ?? '',
          'base64',
        ).toString();
        const secret = createSecretBox(SECRET).hmac('demo-module', 'member-intake');
        const basic = Buffer.from(`member-intake:${secret}`).toString('base64');
        const headers = { authorization: `Basic ${basic}`, origin: '', 'sec-fetch-site': '' };
        const redeem = () =>
          instances.visitor().call('redeemHandoff', { body: { token } }, headers);
        return yesOf(await times(size, redeem));
      },
    },
    {
      name: 'authorization code',
      async race(size) {
        const { answer, verifier } = await wire.silently(await signedIn());
        const body = {
          grant_type: 'authorization_code',
          client_id: SPA,
          code: answer.code,
          code_verifier: verifier,
          redirect_uri: `${SPA_ORIGIN}/callback`,
        };
        const answers = await times(size, () => wire.token(body));
        return yesOf(answers.map((one) => ({ ...one, succeeded: one.status === 200 })));
      },
    },
    {
      name: 'refresh token (successors)',
      async race(size) {
        const { refresh_token: first } = await wire.tokens(await signedIn());
        const body = { grant_type: 'refresh_token', client_id: SPA, refresh_token: first };
        const answers = await times(size, () => wire.token(body));
        const given = answers.flatMap((one) => one.refresh_token ?? []);
        return { won: new Set(given).size, most: 1, busy: busyOf(answers) };
      },
    },
    {
      name: 'proof of work',
      async race(size) {
        const visitor = instances.visitor();
        await visitor.signUp({ emailAddress: newEmail() });
        const proof = await visitor.prove('signUp');
        const emails = Array.from({ length: size }, newEmail);
        const answers = await times(size, (n) =>
          visitor.signUp({ emailAddress: emails[n] ?? '' }, proof),
        );
        return yesOf(answers);
      },
    },
    {
      name: `promo code for ${CAP}`,
      async race(size) {
        const promo = `RACE-${(people += 1)}`;
        await db
          .insertInto('promo_codes')
          .values({ code: promo, valid_until: null, max_uses: CAP })
          .execute();
        const ready: Awaited<ReturnType<typeof proven>>[] = [];
        while (ready.length < size) {
          const some = Math.min(PROMO_AT_ONCE, size - ready.length);
          ready.push(...(await times(some, () => proven({ subtenantId: 3, packageCode: promo }))));
        }
        const answers = await times(size, async (n) => {
          const { visitor, body } = ready[n] ?? {};
          if (!visitor || !body) throw new Error('Nobody');
          return visitor.call('activateUser', { body });
        });
        const row = await db
          .selectFrom('promo_codes')
          .select('used')
          .where('code', '=', promo)
          .executeTakeFirstOrThrow();
        return { won: row.used, most: Math.min(CAP, size), busy: busyOf(answers) };
      },
    },
    {
      name: 'wrong codes compared',
      async race(size) {
        const { visitor, userId, otpId, code } = await waiting();
        const wrong = (Number(code) + 1) % 1_000_000;
        const answers = await times(size, () => visitor.verify(otpId, userId, wrong));
        const won = await events('otp.wrong', userId);
        return { won, most: Math.min(CAP, size), busy: busyOf(answers) };
      },
    },
    {
      name: 'wrong passwords compared',
      async race(size) {
        const { email, userId } = await active();
        const { ip } = instances.visitor();
        const answers = await times(size, (n) =>
          instances.visitor(ip).authenticate(email, `Wrong-${n}-x`),
        );
        const won = await events('signIn.wrongPassword', userId);
        return { won, most: Math.min(CAP, size), busy: busyOf(answers) };
      },
    },
    {
      name: 'role added',
      async race(size) {
        const { email, userId } = await active();
        const { visitor, body } = await proven({
          emailAddress: email,
          subtenantId: 3,
          password: `${PASSWORD}-other`,
        });
        const answers = await times(size, () => visitor.call('activateUser', { body }));
        const roles = await count('user_roles', sql`user_id = ${userId} and role_id = 18`);
        // One row is the table's own rule; one event says that it was done once.
        const won = Math.max(roles, await events('account.roleAdded', userId));
        return { won, most: 1, busy: busyOf(answers) };
      },
    },
  ];
}
