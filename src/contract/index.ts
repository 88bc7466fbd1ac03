import * as z from 'zod/mini';
import * as activation from './activation.ts';
import * as captcha from './captcha.ts';
import * as interactions from './interactions.ts';
import * as handOff from './hand-off.ts';
import * as otp from './otp.ts';
import * as keys from './passkeys.ts';
import * as password from './password.ts';
import * as reference from './reference.ts';
import type { ErrorCode } from './errors.ts';
import type { CallName } from './routes.ts';
import * as sessions from './sessions.ts';
import * as subtenants from './subtenants.ts';
import * as users from './users.ts';
import * as visit from './visit.ts';

/**
 * Who may call: `public` anyone; `visit` a browser with the visit cookie; `session` a complete sign-in, by bearer and
 * cookie; `module` a downstream module with its own secret. The pending rows of a visit decide its further rights.
 */
export type Level = 'public' | 'visit' | 'session' | 'module';

export type Row = {
  readonly summary: string;
  readonly level: Level;
  readonly params?: z.ZodMiniType;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  readonly data: z.ZodMiniType;
  /** Of a call that programs of others make: every refusal that they have to cope with. */
  readonly refusals?: readonly ErrorCode[];
};

const yesOrNo = z.boolean();

/** One row a call: its callers, its input and its `data`. `routes.ts` has the paths. */
// prettier-ignore
export const CONTRACT = {
  getCountries: { summary: 'Countries a phone number may be from', level: 'public', data: reference.countryData },
  getSurvey: { summary: 'Options of "How did you hear about us?"', level: 'public', query: reference.surveyQuery, data: reference.surveyData },
  saveSurvey: { summary: 'Saves the survey answers of the account just created', level: 'visit', body: reference.saveSurveyBody, data: reference.savedCountData },
  getOwnSurvey: { summary: 'Own survey answers', level: 'visit', params: reference.ownSurveyParams, data: reference.ownSurveyData },
  updateSurvey: { summary: 'Changes own survey answers', level: 'visit', body: reference.saveSurveyBody, data: reference.savedCountData },
  createUser: { summary: 'Creates a pending account', level: 'visit', body: users.createUserBody, data: users.createUserData },
  createAcademyUser: { summary: 'Creates a pending academy account', level: 'visit', body: users.createUserBody, data: users.createUserData },
  checkUser: { summary: 'Whether someone can sign in with this address', level: 'visit', params: users.checkUserParams, data: yesOrNo },
  getLoginUser: { summary: 'Masked details of the person signing in', level: 'visit', query: users.loginUserQuery, data: z.nullable(users.loginUserData) },
  sendOtp: { summary: 'Sends a one-time code', level: 'visit', body: otp.sendOtpBody, data: otp.otpData },
  resendOtp: { summary: 'Sends a new one-time code', level: 'visit', body: otp.resendOtpBody, data: otp.otpData },
  verifyOtp: { summary: 'Checks a one-time code', level: 'visit', body: otp.verifyOtpBody, data: yesOrNo },
  extendOtp: { summary: 'Gives more time for the code', level: 'visit', body: otp.extendOtpBody, data: otp.extendOtpData },
  callOtp: { summary: 'Calls the phone of the account, which says the code of its text', level: 'visit', body: otp.callOtpBody, data: otp.extendOtpData },
  changeAddress: { summary: 'Sends the code of a pending sign-up to another address', level: 'visit', body: otp.changeAddressBody, data: otp.changeAddressData },
  isAuthUser: { summary: 'Whether the address just proven has a password already', level: 'visit', params: activation.isAuthUserParams, data: yesOrNo },
  activateUser: { summary: 'Activates the account whose code was right', level: 'visit', body: activation.activateUserBody, data: yesOrNo },
  validateLink: { summary: 'Checks an activation link without using it up', level: 'visit', body: activation.validateLinkBody, data: activation.validateLinkData },
  confirmLink: { summary: 'The button of a mailed link: proves the address as its code would', level: 'visit', body: activation.validateLinkBody, data: activation.confirmLinkData },
  rejectLink: { summary: '"I did not sign up": the form behind a mailed link goes', level: 'visit', body: activation.validateLinkBody, data: yesOrNo },
  createActivationLink: { summary: 'A link for this visit to prove a pending account', level: 'visit', body: activation.activationLinkBody, data: activation.activationLinkData },
  getActivationLink: { summary: 'The same by GET', level: 'visit', data: activation.activationLinkData },
  forgotPassword: { summary: 'Mails a link to set a new password', level: 'visit', query: visit.visitQuery, body: password.forgotPasswordBody, data: yesOrNo },
  getResetUser: { summary: 'Whose password a reset link may set', level: 'visit', params: password.resetUserParams, data: password.resetUserData },
  updatePassword: { summary: 'Sets the new password', level: 'visit', body: password.updatePasswordBody, data: yesOrNo },
  beginSession: { summary: 'Begins a sign-in: an authorization request to the hosted login', level: 'visit', body: sessions.beginSessionBody, data: sessions.beginSessionData },
  recordLogin: { summary: 'Exchanges the code in the backend and records the login', level: 'visit', body: sessions.recordLoginBody, data: sessions.recordLoginData },
  logOut: { summary: 'Ends the session of the bearer', level: 'visit', params: sessions.logOutParams, data: yesOrNo },
  getVisit: { summary: 'Where this visit stands, and what became of the messages with its code', level: 'visit', query: visit.visitQuery, data: visit.visitData },
  getSubtenant: { summary: 'Name and logo of a subtenant', level: 'visit', body: subtenants.subtenantBody, data: subtenants.subtenantData },
  getSettings: { summary: 'Public settings', level: 'public', data: reference.settingsData },
  getChallenge: { summary: 'A proof of work for the browser to do, before a call that asks for one', level: 'visit', body: captcha.challengeBody, data: captcha.challengeData },
  checkBrowser: { summary: 'What of this browser reaches the server, and the time', level: 'public', data: reference.browserData },
  givePageCode: { summary: 'Letters that show the help desk the state of this visit', level: 'visit', body: reference.pageCodeBody, data: reference.pageCodeData },
  getFeedback: { summary: 'Quotes for the side banner', level: 'public', data: reference.feedbackData },
  continueInteraction: { summary: 'Back to the application that asked for the sign-in', level: 'visit', body: interactions.interactionBody, data: interactions.goOnData },
  allowInteraction: { summary: 'Lets the application have what it asked for', level: 'visit', body: interactions.interactionBody, data: interactions.goOnData },
  denyInteraction: { summary: 'Back to the application with a no', level: 'visit', body: interactions.interactionBody, data: interactions.goOnData },
  getConsents: { summary: 'Applications that may know who the person is', level: 'session', data: interactions.consentsData },
  revokeConsent: { summary: 'Takes back what an application was allowed', level: 'session', body: interactions.revokeConsentBody, data: yesOrNo },
  keyRequest: { summary: 'What a device is asked for, to use a saved key', level: 'visit', body: keys.keyRequestBody, data: keys.keyOptionsData },
  signInWithKey: { summary: 'Signs in by a saved key: password and code in one', level: 'visit', body: keys.signInWithKeyBody, data: keys.signInWithKeyData },
  stepUpWithKey: { summary: 'Proves by a saved key that the signed-in person is still there', level: 'visit', body: keys.stepUpWithKeyBody, data: keys.stepUpWithKeyData },
  keyCreation: { summary: 'What a device is asked for, to save a key', level: 'visit', body: keys.keyCreationBody, data: keys.keyOptionsData },
  saveKey: { summary: 'Keeps the public part of a new key', level: 'visit', body: keys.saveKeyBody, data: keys.saveKeyData },
  keyOffer: { summary: 'What became of the offer to save a key', level: 'visit', body: keys.keyOfferBody, data: yesOrNo },
  checkPassword: { summary: 'Checks the password that a module wants after a sign-in by key', level: 'session', body: handOff.checkPasswordBody, data: handOff.checkPasswordData },
  issueHandoff: { summary: 'Hands the signed-in person to a module', level: 'session', body: handOff.issueHandoffBody, data: handOff.issueHandoffData },
  redeemHandoff: { summary: 'Redeems a hand-off token once, server to server', level: 'module', body: handOff.redeemHandoffBody, data: handOff.redeemHandoffData, refusals: handOff.REDEEM_REFUSALS },
} as const satisfies Record<CallName, Row>;

export type Contract = typeof CONTRACT;
type Part<Name extends CallName, Key extends 'params' | 'query' | 'body' | 'data'> =
  Contract[Name] extends Readonly<Record<Key, infer Schema extends z.ZodMiniType>>
    ? z.infer<Schema>
    : undefined;

export type Params<Name extends CallName> = Part<Name, 'params'>;
export type Query<Name extends CallName> = Part<Name, 'query'>;
export type Body<Name extends CallName> = Part<Name, 'body'>;
export type Data<Name extends CallName> = Part<Name, 'data'>;
