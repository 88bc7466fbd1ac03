import type { StaffProof } from '#contract/console.ts';
import { spanText } from '#locales/counts.ts';
import { fill } from '#locales/fill.ts';
import { consoleTexts as texts } from '#locales/operator/console.ts';
import { fields } from '#texts/fields.ts';
import { passwords } from '#texts/passwords.ts';
import { problems } from '#texts/problems.ts';
import { findAppCode } from '../proofs/authenticator/app-code-store.ts';
import type { ServerContext } from '../core/context.ts';
import type { Caller } from '../http/visit-cookie.ts';
import { NO_CODE, type StepUp } from '../forms/step-up.ts';
import type { Staff } from './staff.ts';

export type StaffProofs = ReturnType<typeof createStaffProofs>;

/** Creates the proof that each changing form asks for: a code of the staff member's own. */
export function createStaffProofs(
  { db }: Pick<ServerContext, 'db'>,
  stepUp: Pick<StepUp, 'code' | 'run'>,
) {
  return {
    /** Sends or checks the code, as the form says. @returns the problem, `null` for none */
    async check(staff: Staff, sent: FormData | null, caller: Caller): Promise<string | null> {
      if (!sent?.has('step')) return null;
      const me = { loggedInUserId: staff.id, signInId: staff.signInId };
      const answer = await stepUp.run('myAccount', me, sent, caller);
      if ('page' in answer) return null;
      const { message, minutes = 0 } = answer.problems.code ?? {};
      if (message === undefined) return texts.code;
      const values = { minutes: spanText(minutes, 'minute'), reference: '' };
      return fill(PROBLEMS[message] ?? '', values);
    },

    /** Returns what a page shows of the proof. */
    async of(staff: Staff, caller: Caller, isFresh: boolean): Promise<StaffProof> {
      if (isFresh) return { isFresh, asksApp: false, code: NO_CODE };
      const asksApp = (await findAppCode(db, staff.id)) !== undefined;
      return { isFresh, asksApp, code: await stepUp.code(staff.id, caller.visit, 'en') };
    },
  };
}

const PROBLEMS: Readonly<Record<string, string>> = { ...fields, ...passwords, ...problems };
