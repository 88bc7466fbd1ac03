import {
  type HttpReceiver,
  startHttpReceiver,
  startMailReceiver,
} from '../../src/server/testing/receivers.ts';
import type { Run } from './run.ts';

/** What arrived somewhere: `key` is the same for every try of one thing. */
export type Arrival = { readonly key: string; readonly whom: string };

/** Receivers that keep ledgers of their own, outside of what is broken. */
export type Outside = {
  readonly env: Readonly<Record<string, string>>;
  /** The mails to an address, the newest last. */
  mailsTo(email: string): {
    readonly codes: readonly string[];
    readonly resetKeys: readonly string[];
  };
  mails(): readonly Arrival[];
  texts(): readonly Arrival[];
  leads(): readonly Arrival[];
};

const KEY = 'a key that only the receivers know';

export async function startOutside(run: Pick<Run, 'onEnd'>): Promise<Outside> {
  const mail = await startMailReceiver();
  run.onEnd(mail.close);
  const text = await startHttpReceiver();
  run.onEnd(text.close);
  const crm = await startHttpReceiver();
  run.onEnd(crm.close);

  const arrived: Arrival[] = [];
  const byAddress = new Map<string, { codes: string[]; resetKeys: string[] }>();
  const boxOf = (email: string) => {
    const box = byAddress.get(email) ?? { codes: [], resetKeys: [] };
    byAddress.set(email, box);
    return box;
  };
  /** Thousands of mails come in a run: each is read once and not kept. */
  function readNew(): void {
    for (const each of mail.mails.splice(0)) {
      // Mails break long lines and write '=' as '=3D'.
      const whole = each.replaceAll('=\n', '');
      const find = (wanted: RegExp) => wanted.exec(whole)?.[1] ?? '';
      const whom = find(/^To: (.*)$/im);
      arrived.push({ key: find(/^Message-ID: (.*)$/im), whom });
      const code = find(/^Subject: (\d{6})/m);
      const key = find(/resetLinkKey=(?:3D)?([\w-]{20,})/);
      if (code) boxOf(whom).codes.push(code);
      if (key) boxOf(whom).resetKeys.push(key);
    }
  }
  return {
    env: {
      SMTP_URL: mail.url,
      SMS_WEBHOOK_URL: text.url,
      SMS_WEBHOOK_KEY: KEY,
      SMS_DAILY_LIMIT: '1000000',
      CRM_URL: crm.url,
      CRM_KEY: KEY,
    },
    mailsTo(email) {
      readNew();
      return boxOf(email);
    },
    mails() {
      readNew();
      return arrived;
    },
    texts: () => arrivals(text, 'to'),
    leads: () => arrivals(crm, 'email'),
  };
}

const arrivals = ({ received }: HttpReceiver, field: string): readonly Arrival[] =>
  received
    .filter(({ isTaken }) => isTaken)
    .map(({ headers, body }) => ({
      key: String(headers['idempotency-key']),
      whom: String((JSON.parse(body) as Record<string, unknown>)[field]),
    }));
