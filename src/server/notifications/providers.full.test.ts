/** Every provider, in every mood: sign-ups go on, nothing is lost, nothing comes twice under another key. */

import { describe, expect, test, vi } from 'vitest';
import {
  type HttpReceiver,
  type MailReceiver,
  startHttpReceiver,
  startMailReceiver,
} from '../testing/receivers.ts';
import type { Config } from '../config/config.ts';
import { activation, createTestApp, type TestApp } from '../testing/test-app.ts';

const MOODS = ['refuse', 'hang', 'failure', 'garbage', 'drip'] as const;
const SLOW_MS = 120_000;
/** Hanging and dripping providers are given up sooner here; whoever is well answers long before. */
const IMPATIENT = { providerTimeoutMs: 3000 };
const CODE_SECONDS = 121;
const KEY = 'a key that is long enough';

/** Has something closed when the test is over. */
type Keep = (close: () => Promise<void>) => void;

type Provider = {
  readonly name: string;
  readonly receiver: HttpReceiver | MailReceiver;
  readonly options: Partial<Config>;
  /** How it says that it is broken. */
  readonly failure: number;
  /** Keys of all tries, and of those that were taken. */
  readonly tried: () => readonly string[];
  readonly taken: () => readonly string[];
};

async function startHttp(keep: Keep): Promise<HttpReceiver> {
  const receiver = await startHttpReceiver();
  keep(receiver.close);
  receiver.answer(() => ({ sid: `SM${Math.random().toString(16).slice(2)}` }));
  return receiver;
}

const keyOf = ({ headers }: HttpReceiver['received'][number]) => String(headers['idempotency-key']);

const PROVIDERS: Readonly<Record<string, (keep: Keep) => Promise<Provider>>> = {
  smtp: async (keep) => {
    const receiver = await startMailReceiver();
    keep(receiver.close);
    const idOf = (mail: string) => /^Message-ID: (.*)$/im.exec(mail)?.[1] ?? '';
    return {
      name: 'smtp',
      failure: 451,
      receiver,
      options: {
        mail: { url: receiver.url, from: 'a@example.test', envelopeFrom: null, dkim: null },
      },
      tried: () => receiver.tries,
      taken: () => receiver.mails.map(idOf),
    };
  },
  twilio: async (keep) => {
    const receiver = await startHttp(keep);
    // Twilio takes no key of ours; the address for receipts has the id of the message.
    const idOf = ({ body }: HttpReceiver['received'][number]) =>
      new URLSearchParams(body).get('StatusCallback') ?? '';
    return {
      name: 'twilio',
      failure: 500,
      receiver,
      options: {
        twilio: {
          apiUrl: receiver.url,
          accountSid: `AC${'0'.repeat(32)}`,
          authToken: 'token of the tests',
          from: '+15550100199',
          whatsAppFrom: null,
          whatsAppContentSid: null,
          deliveryReportsUrl: 'https://login.example.org/receipts',
        },
      },
      tried: () => receiver.received.map(idOf),
      taken: () => receiver.received.filter(({ isTaken }) => isTaken).map(idOf),
    };
  },
  webhook: async (keep) => {
    const receiver = await startHttp(keep);
    return {
      name: 'webhook',
      failure: 500,
      receiver,
      options: { smsWebhook: { url: receiver.url, key: KEY } },
      tried: () => receiver.received.map(keyOf),
      taken: () => receiver.received.filter(({ isTaken }) => isTaken).map(keyOf),
    };
  },
  crm: async (keep) => {
    const receiver = await startHttp(keep);
    return {
      name: 'crm',
      failure: 500,
      receiver,
      options: { crm: { url: receiver.url, key: KEY, tag: 'tag' } },
      tried: () => receiver.received.map(keyOf),
      taken: () => receiver.received.filter(({ isTaken }) => isTaken).map(keyOf),
    };
  },
};

const stateOf = async (testApp: TestApp, name: string) => {
  const response = await fetch(new URL('/api/health/ready', testApp.url));
  const { providers } = (await response.json()) as { providers: Record<string, string> };
  return [response.status, providers[name]];
};

/** Comes as far as the step that needs the provider; each call of it is a message, or a lead, of its own. */
async function person(
  testApp: TestApp,
  provider: Provider,
  n: string,
): Promise<() => Promise<number>> {
  const visitor = testApp.visitor();
  const emailAddress = `person-${n}@example.test`;
  const created = (await visitor.signUp({ emailAddress, subtenantId: 3 })).data;
  const { userId = 0, id = '' } = created ?? {};
  if (provider.name !== 'crm') {
    const medium = provider.name === 'smtp' ? 3 : 1;
    return async () => (await visitor.sendCode(userId, 'USER_ACTIVATION', medium)).status;
  }
  const sent = (await visitor.sendCode(userId, 'USER_ACTIVATION', 3)).data;
  const otpId = sent?.id ?? '';
  await visitor.verify(otpId, userId, await testApp.codeFor(emailAddress));
  return async () =>
    (await visitor.call('activateUser', { body: activation({ userId, id }, otpId) })).status;
}

const PEOPLE = 6;
const peopleOf = (testApp: TestApp, provider: Provider, turn: number) =>
  Promise.all(Array.from({ length: PEOPLE }, (_, n) => person(testApp, provider, `${turn}-${n}`)));

const open = (testApp: TestApp) =>
  testApp.db
    .selectFrom('outbox')
    .select(['idempotency_key', 'attempts', 'last_error'])
    .where('done_at', 'is', null)
    .execute();

describe.concurrent.each(Object.keys(PROVIDERS))('[R43] %s', (name) => {
  test(
    'refuses, hangs, answers 500, answers garbage, drips: people go on, the breaker opens, and all is delivered when it heals',
    async ({ expect, onTestFinished }) => {
      const provider = await PROVIDERS[name]?.(onTestFinished);
      if (!provider) throw new Error(name);
      // Limits are other tests'.
      const testApp = await createTestApp({ ...provider.options, ...IMPATIENT, limitFactor: 50 });
      onTestFinished(() => testApp.close());
      let steps = await peopleOf(testApp, provider, 0);
      for (const [turn, mood] of MOODS.entries()) {
        const before = new Set(provider.taken());
        // An account is activated once; a code can be asked for again when the last one is over.
        if (name !== 'crm') testApp.clock.advance(CODE_SECONDS);
        else if (turn > 0) steps = await peopleOf(testApp, provider, turn);
        await provider.receiver.setMood(mood === 'failure' ? provider.failure : mood);
        for (const step of steps) expect([mood, await step()]).toEqual([mood, 200]);
        await testApp.app.outbox.settle();
        expect([mood, await stateOf(testApp, name)]).toEqual([mood, [200, 'down']]);
        const waiting = await open(testApp);
        expect(waiting).toHaveLength(PEOPLE);
        const tries = provider.tried().length;
        // Open: nothing reaches the provider any more.
        testApp.clock.advance(5);
        await testApp.app.outbox.settle();
        expect([mood, provider.tried().length]).toEqual([mood, tries]);

        await provider.receiver.setMood('ok');
        for (let n = 0; n < 10 && (await open(testApp)).length > 0; n += 1) {
          testApp.clock.advance(3);
          await testApp.app.outbox.settle();
        }
        // 30 seconds after it healed at the latest.
        expect([mood, await stateOf(testApp, name)]).toEqual([mood, [200, 'up']]);
        expect([mood, await open(testApp)]).toEqual([mood, []]);
        const taken = provider.taken().filter((key) => !before.has(key));
        expect([mood, taken.length, new Set(taken).size]).toEqual([mood, PEOPLE, PEOPLE]);
      }
      // Whatever was tried and failed came in the end, under the same key.
      expect(new Set(provider.tried())).toEqual(new Set(provider.taken()));
    },
    SLOW_MS,
  );
});

test('[R43] every provider has a breaker, one for all its channels, whose changes stand in the log', async ({
  onTestFinished,
}) => {
  const mails = await startMailReceiver();
  const others = await startHttp(onTestFinished);
  onTestFinished(mails.close);
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(async () => write.mockRestore());
  const testApp = await createTestApp({
    logLevel: 'warn',
    ...IMPATIENT,
    mail: { url: mails.url, from: 'a@example.test', envelopeFrom: null, dkim: null },
    smsWebhook: { url: others.url, key: KEY },
    crm: { url: others.url, key: KEY, tag: 'tag' },
    events: { url: others.url, secret: `whsec_${Buffer.alloc(32).toString('base64')}` },
  });
  onTestFinished(() => testApp.close());
  const { outbox } = testApp.app;
  const message = { subject: 'x', text: 'x', html: null, code: null, link: null };
  const email = { ...message, channel: 'email', to: 'somebody@example.test' };
  const text = (channel: string) => ({ ...message, channel, to: '+15550100123' });
  const jobs = [
    ...Array.from({ length: 5 }, () => ({ kind: 'message', payload: email })),
    // Five between them.
    ...Array.from({ length: 3 }, () => ({ kind: 'message', payload: text('sms') })),
    ...Array.from({ length: 2 }, () => ({ kind: 'message', payload: text('whatsapp') })),
    ...Array.from({ length: 5 }, () => ({ kind: 'lead', payload: {} })),
    ...Array.from({ length: 5 }, () => ({ kind: 'event', payload: {} })),
  ];
  await mails.setMood(451);
  await others.setMood(500);
  for (const [n, job] of jobs.entries()) {
    await outbox.add(testApp.db, { ...job, idempotencyKey: `${job.kind}:${n}` });
  }
  const names = ['crm', 'events', 'smtp', 'webhook'];
  const states = () => Promise.all(names.map(async (name) => (await stateOf(testApp, name))[1]));
  const said = () =>
    write.mock.calls
      .map(([line]) => JSON.parse(String(line)) as Readonly<Record<string, string | number>>)
      .filter(({ msg }) => String(msg).startsWith('a provider '))
      .map(({ level, provider, msg }) => `${provider} ${String(msg).split(':')[0]} ${level}`)
      .toSorted();
  await outbox.settle();
  expect(await states()).toEqual(names.map(() => 'down'));
  expect(said()).toEqual(names.map((name) => `${name} a provider is down 50`));

  await mails.setMood('ok');
  await others.setMood('ok');
  write.mockClear();
  for (let n = 0; n < 10 && (await open(testApp)).length > 0; n += 1) {
    testApp.clock.advance(3);
    await outbox.settle();
  }
  expect(await states()).toEqual(names.map(() => 'up'));
  expect(said()).toEqual(names.map((name) => `${name} a provider answers again 40`));
});
