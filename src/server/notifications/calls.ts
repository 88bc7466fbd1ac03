import type { Subtenant } from '#domain/people/subtenants.ts';
import { accountLanguage } from '../accounts/account-store.ts';
import type { Db } from '../db/database.ts';
import type { ServerContext } from '../core/context.ts';
import type { CallPorts } from '../proofs/otp/otp-ports.ts';
import type { CallGuard } from './call-guard.ts';
import { askLines, codeLines, overLines, type Spoken, spokenLanguage } from './spoken-lines.ts';
import { plainMessage } from './compose-message.ts';
import { type Courier, type MessageNews, NEWS, messageNews } from './courier.ts';

type SubtenantOf = (id: number | null, db: Db) => Promise<Pick<Subtenant, 'name' | 'language'>>;

export type CallScript = ReturnType<typeof createCallScript>;

/** Creates the queue and the list of calls; `null` where nothing can make one. */
export function createCalls(deps: {
  readonly courier: Courier;
  readonly guard: CallGuard;
  readonly subtenantOf: SubtenantOf;
}): CallPorts {
  const { courier, guard, subtenantOf } = deps;
  if (!courier.hasChannel('voice')) return null;
  return {
    look: guard.look,
    take: guard.take,
    async queue(db, { phone, email, subtenantId }, { otpId, nth }) {
      const { name, language } = await subtenantOf(subtenantId, db);
      const spoken = spokenLanguage(await accountLanguage(db, email), language);
      const text = askLines(spoken, name).lines.join(' ');
      const about = { idempotencyKey: `call:${otpId}:${nth}`, subtenantId, callOf: otpId };
      await courier.queue(db, plainMessage('voice', phone, text), about);
    },
    list: (db, otpId) =>
      db
        .selectFrom('messages')
        .select(['state', 'reason', 'queued_at', 'delivered_at'])
        .where('called_otp_id', '=', otpId)
        .orderBy('queued_at', 'desc')
        .execute(),
  };
}

/** Creates the words of a call as its provider asks for them. */
export function createCallScript(
  { db, clock, secretBox, audit }: ServerContext,
  deps: {
    readonly subtenantOf: SubtenantOf;
    readonly digitsToSay: (otpId: string) => Promise<string | null>;
    readonly onNews: (news: MessageNews) => void;
  },
) {
  const callsThatRing = (callId: string) =>
    db
      .selectFrom('messages')
      .innerJoin('otp_codes', 'otp_codes.id', 'messages.called_otp_id')
      .innerJoin('users', 'users.id', 'otp_codes.user_id')
      .select(['called_otp_id', 'provider_ref', 'users.language', 'messages.subtenant_id'])
      .where('messages.id', '=', callId)
      .where('channel', '=', 'voice')
      .where('state', 'in', ['queued', 'sent']);

  /** Returns a call that rings, with the sender's name and the language of the account. */
  async function findCall(callId: string) {
    const call = await callsThatRing(callId).executeTakeFirst();
    if (!call) return null;
    const { name, language } = await deps.subtenantOf(call.subtenant_id, db);
    return { ...call, name, spoken: spokenLanguage(call.language, language) };
  }

  return {
    /** Returns what a call says until a key is pressed; `null` for a call that is over. */
    async ask(callId: string): Promise<Spoken | null> {
      const call = await findCall(callId);
      return call && askLines(call.spoken, call.name);
    },

    /**
     * Returns the code in words after the key was pressed, once for each call; `null` for a call that is over.
     * @param providerId the provider's id of the call, where its callback names one
     */
    async press(callId: string, providerId?: string): Promise<Spoken | null> {
      const call = await findCall(callId);
      if (!call?.called_otp_id) return null;
      const isCaller = (ref: string) => secretBox.hmacs('receipts', providerId ?? '').includes(ref);
      if (providerId !== undefined && !isCaller(call.provider_ref ?? '')) return null;
      const digits = await deps.digitsToSay(call.called_otp_id);
      if (digits === null) return overLines(call.spoken);
      const said = await db.transaction().execute(async (transaction) => {
        const row = await transaction
          .updateTable('messages')
          .set({ state: 'delivered', delivered_at: clock.now() })
          .where('id', '=', callId)
          // The same key press that comes again hears nothing: a callback may have been recorded.
          .where('state', 'in', ['queued', 'sent'])
          .returning(NEWS)
          .executeTakeFirst();
        const event = { kind: 'call.said', actor: 'provider', details: { id: callId } } as const;
        if (row) await audit(event, transaction);
        return row;
      });
      if (!said) return null;
      deps.onNews(messageNews(said, 'delivered'));
      return codeLines(call.spoken, digits);
    },
  };
}
