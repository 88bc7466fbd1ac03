import type { FormField, FormTold, StaffProof } from '#contract/console.ts';
import { consoleTexts as texts } from '#locales/operator/console.ts';
import { OperatorError } from '../config/operator-error.ts';
import type { ServerContext } from '../core/context.ts';
import { problemText } from '../forms/account-page.ts';
import { NO_CODE, type StepUp } from '../forms/step-up.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller } from '../http/visit-cookie.ts';
import { findAppCode } from '../proofs/authenticator/app-code-store.ts';
import type { Content, FormAnswer } from './console.ts';
import { FieldProblems, type Typed, typedIn } from './form-fields.ts';
import { CONSOLE_PROOF, type Staff } from './staff.ts';

/** What a form is drawn with. `told`: what it did, where the page says so once. */
export type ShownForm = {
  readonly typed: Typed;
  readonly problems: Typed;
  readonly told: FormTold | null;
  /** What stands above the form. */
  readonly problem: string | null;
  readonly proof: StaffProof;
};

/** A form of the console: a verb on a person, or a form of an area. */
export type ConsoleForm = {
  /** The address of its page. A browser returns there when session, rights or proof have ended meanwhile. */
  readonly path: string;
  readonly fields: readonly FormField[];
  /** What it opens with. */
  readonly typed?: Typed;
  /** When it asks for a code of the last five minutes. */
  readonly asksProof: 'first' | 'whenSent' | 'never';
  readonly draw: (shown: ShownForm) => Promise<Content> | Content;
  /** @throws FieldProblems, OperatorError, AppError; all are shown in the form */
  readonly run: (typed: Typed, sent: FormData) => Promise<FormAnswer | { readonly told: FormTold }>;
};

export type AnswerForm = ReturnType<typeof createAnswerForm>;

/**
 * Creates the one way in which a form of the console is answered: it is shown, asks for a code of the staff member's own,
 * keeps what was typed, and says a refusal in words.
 */
export function createAnswerForm(
  { db }: Pick<ServerContext, 'db'>,
  stepUp: Pick<StepUp, 'code' | 'run' | 'isFreshIn'>,
) {
  /** Sends or checks the code, as the form says. @returns the problem, `null` for none */
  async function takeStep(staff: Staff, sent: FormData, caller: Caller): Promise<string | null> {
    const answer = await stepUp.run('myAccount', meOf(staff), sent, caller);
    if ('page' in answer) return null;
    const { code } = answer.problems;
    return code ? problemText(code) : texts.code;
  }

  async function proofOf(staff: Staff, caller: Caller, isFresh: boolean): Promise<StaffProof> {
    if (isFresh) return { isFresh, asksApp: false, code: NO_CODE };
    const asksApp = (await findAppCode(db, staff.id)) !== undefined;
    return {
      isFresh,
      asksApp,
      code: await stepUp.code(staff.id, caller.visit, 'en', CONSOLE_PROOF),
    };
  }

  /** Shows a form, or runs it. @param sent `null` when it is only shown */
  return async (
    staff: Staff,
    form: ConsoleForm,
    sent: FormData | null,
    caller: Caller,
  ): Promise<FormAnswer> => {
    const { path, fields, asksProof } = form;
    const typed = sent ? typedIn(fields, sent) : (form.typed ?? {});
    const isProven = asksProof === 'never' || staff.isFresh;
    const show = async (
      { code, ...problems }: Typed = {},
      { isFresh = isProven, told = null }: { isFresh?: boolean; told?: FormTold | null } = {},
    ): Promise<FormAnswer> => {
      const proof = await proofOf(staff, caller, isFresh);
      const problem = code ?? problems.form ?? null;
      return { content: await form.draw({ typed, problems, told, problem, proof }) };
    };
    if (!sent) return show({}, { isFresh: isProven || asksProof === 'whenSent' });
    if (sent.has('step')) {
      const code = await takeStep(staff, sent, caller);
      if (code !== null) return show({ code });
      // A code that was sent is waited for; a right one opens the form with all that was typed. Asked anew, because no
      // code is sent where no contact may prove it.
      return show(
        {},
        { isFresh: isProven || (await stepUp.isFreshIn(meOf(staff), CONSOLE_PROOF)) },
      );
    }
    if (!isProven) return show();
    try {
      const ran = await form.run(typed, sent);
      return 'told' in ran ? await show({}, { told: ran.told }) : ran;
    } catch (error) {
      // Session, rights or code have ended meanwhile: the page asks for the missing one.
      if (error instanceof AppError && error.code === 'NO_SESSION') return { page: path };
      return show(problemsOf(error));
    }
  };
}

const meOf = ({ id, signInId }: Staff) => ({ loggedInUserId: id, signInId });

/** Returns the problems that a form shows. Rethrows every other error. */
function problemsOf(error: unknown): Typed {
  if (error instanceof FieldProblems) return error.problems;
  if (error instanceof OperatorError) return { form: error.message };
  if (error instanceof AppError) return { form: error.messages.join(' ') };
  throw error;
}
