import type { FieldMessage } from '#texts/fields.ts';
import type { ProblemMessage } from '#texts/problems.ts';
import type { SurveyAnswer } from '../people/survey.ts';
import type { SignUpFields } from '../typed/sign-up-form.ts';

/** An activation link that the server found valid. */
export type FollowedLink = {
  readonly userId: number;
  readonly registrationId: string;
  readonly platform: number;
  readonly key: string;
  /** The server's name for the link, which the activation request repeats (DAT-13). */
  readonly userActivationId: string;
};

/** An authorization answer of the hosted login. */
export type HostedAnswer = { readonly code: string; readonly state: string };

/** A text by key, or a sentence that the server wrote for this case. */
export type Say =
  | { readonly key: FieldMessage | ProblemMessage; readonly minutes?: number }
  | { readonly text: string };

export type SignUpRequest = Readonly<Omit<SignUpFields, 'confirmPassword'>> & {
  readonly subtenantId: number;
  /** The chosen country, by ISO 3166-1, because several share a dial code. Not sent. */
  readonly country: string;
  readonly dialCode: string;
  readonly promoCode: string | null;
  readonly survey: readonly SurveyAnswer[];
};

/** The input of a sign-up without the password, for the code screen's history entry (SUP-19). */
export type SignUpData = Omit<SignUpRequest, 'password'>;

/** A phone number as a form has it. */
export type TypedPhone = Pick<SignUpRequest, 'country' | 'dialCode' | 'phone'>;

export type Account = {
  readonly userId: number;
  readonly registrationId: string;
  /** As entered: later steps name the account by it. */
  readonly email: string;
};
