/** Every call's method and path, once (WIR-05). The browser needs only this; the schemas stay on the server. */
export const ROUTES = {
  getCountries: 'GET /api/Country/GetRegistrationEnableCountry',
  getSurvey: 'GET /api/Subject/get-subject-for-form-label-id',
  saveSurvey: 'POST /api/Subject/add-user-subject-data',
  getOwnSurvey: 'GET /api/Subject/get-user-subject/:userId',
  updateSurvey: 'PUT /api/Subject/update-user-subject-data',
  createUser: 'POST /api/User/CreateUser',
  createAcademyUser: 'POST /api/User/CreateAcademyUser',
  checkUser: 'GET /api/user/GetUserStatusByUserName/:email',
  getLoginUser: 'GET /api/Account/GetUserDetailByEmailId',
  sendOtp: 'POST /api/OTP/Send-OTP-To-User',
  resendOtp: 'POST /api/OTP/ReSend-OTP-To-User',
  verifyOtp: 'POST /api/OTP/Validate-OTP-For-NewUser',
  extendOtp: 'POST /api/OTP/Extend',
  callOtp: 'POST /api/OTP/Call',
  changeAddress: 'POST /api/OTP/ChangeAddress',
  isAuthUser: 'GET /api/UserAuth/IsAuthUser/:email',
  validateLink: 'POST /api/UserActivation/ValidateLink',
  confirmLink: 'POST /api/UserActivation/ConfirmLink',
  rejectLink: 'POST /api/UserActivation/RejectLink',
  createActivationLink: 'POST /api/UserActivation/GetUserActivationLink',
  getActivationLink: 'GET /api/UserActivation/GetUserActivationLink',
  activateUser: 'POST /api/UserActivation/ActivateUser',
  forgotPassword: 'POST /api/User/SendEmailForForgotPassword',
  getResetUser: 'GET /api/User/GetUserDetailsbyTokenKey/:resetKey/:ip',
  updatePassword: 'POST /api/2/User/UpdateForgotPassword',
  beginSession: 'POST /api/Session/Begin',
  recordLogin: 'POST /api/User/LogUserLogin',
  logOut: 'GET /api/User/LogoutUser/:userId/:appState/:loggedInId/:roleId',
  getVisit: 'GET /api/Visit/State',
  getSubtenant: 'POST /api/Subtenant/get-subtenant-details',
  getSettings: 'GET /api/Settings/authSettings',
  getChallenge: 'POST /api/Captcha/Challenge',
  checkBrowser: 'GET /api/Browser/Check',
  givePageCode: 'POST /api/Help/PageCode',
  getFeedback: 'GET /api/CustomerFeedback/GetCustomerFeedback',
  continueInteraction: 'POST /api/Client/Continue',
  allowInteraction: 'POST /api/Client/Allow',
  denyInteraction: 'POST /api/Client/Deny',
  getConsents: 'GET /api/Client/Consents',
  revokeConsent: 'POST /api/Client/RevokeConsent',
  keyRequest: 'POST /api/Keys/Request',
  signInWithKey: 'POST /api/Keys/SignIn',
  stepUpWithKey: 'POST /api/Keys/StepUp',
  keyCreation: 'POST /api/Keys/Creation',
  saveKey: 'POST /api/Keys/Save',
  keyOffer: 'POST /api/Keys/Offer',
  checkPassword: 'POST /api/Handoff/Password',
  issueHandoff: 'POST /api/Handoff/Issue',
  redeemHandoff: 'POST /api/Handoff/Redeem',
} as const satisfies Record<string, `${Method} /${string}`>;

export type Method = 'GET' | 'POST' | 'PUT';
export type CallName = keyof typeof ROUTES;

/** Splits a row into method and path. */
export function routeOf(name: CallName): { readonly method: Method; readonly path: string } {
  const [method, path] = ROUTES[name].split(' ') as [Method, string];
  return { method, path };
}

/** The cookie and header of the CSRF check (API-02). */
export const XSRF_COOKIE = 'XSRF-TOKEN';
export const XSRF_HEADER = 'x-xsrf-token';

/** Carries the proof of work of a call that was asked for one. */
export const CAPTCHA_HEADER = 'x-captcha';

/** A person's data, to read and to keep. */
export const ACCOUNT_DATA_PATHS = {
  html: '/account/me/data.html',
  json: '/account/me/data.json',
} as const;

/** The key set that modules verify with (HND-02): no call of the portal's, and without an envelope. */
export const HANDOFF_KEYS_PATH = '/api/Handoff/Keys';

/** Where the identity provider sends a browser whose authorization request needs an answer; its uid follows after a slash. */
export const INTERACTION_PATH = '/account/request';
