import { textsIn } from '#locales/catalogue.ts';
import type { Language } from '#locales/languages.ts';
import type { AccountData } from '#contract/my-account.ts';
import { parsePreferences } from '#domain/looks/display.ts';
import type { ScreenName } from '#domain/flow/screens.ts';
import { type AccountPart, servedScreen } from '#domain/flow/served-screens.ts';
import { type ActiveAccount, consoleRoleIn, findActiveAccount } from '../accounts/account-store.ts';
import { deviceText, deviceSystem } from '../accounts/device-text.ts';
import { phoneText } from '../accounts/phone-text.ts';
import type { FullContext } from '../access/context.ts';
import { findSession } from '../access/freshness.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import type { Consents } from '../identity-provider/oauth-clients/consents.ts';
import { dateText } from '../notifications/moments.ts';
import type { IsGuessable } from '../proofs/password/guessable-password.ts';
import type { PasswordCheck } from '../sign-in/password-check.ts';
import type { Passwords } from '../identity-provider/port.ts';
import { type Survey, surveyOptions } from '../catalog/survey.ts';
import type { Otps } from '../proofs/otp/otp-ports.ts';
import type { Recipients } from '../proofs/otp/recipients.ts';
import {
  type AccountAnswer,
  type AccountForms,
  answerAccountForm,
  type Me,
} from '../forms/account-page.ts';
import { createContacts } from '../contacts/contacts-page.ts';
import { createOwnForms } from './own-forms.ts';
import { createAppCodePage } from './authenticator.ts';
import { readKeys } from './passkeys.ts';
import { createOwnLink, readOwnLink } from '../organisations/own-link.ts';
import { createHelpers } from '../helpers/helpers-page.ts';
import { createPeople } from '../helpers/people-page.ts';
import type { HelpAskPorts } from '../helpers/help-asks.ts';
import type { SharedDevices } from '../counter/shared-devices.ts';
import type { Subtenants } from '../subtenants/subtenants.ts';
import { createSharedDevice } from '../counter/own-page.ts';
import { endedLately, ownSessions, signInBefore } from './own-sessions.ts';
import { createStepUp, NO_CODE } from '../forms/step-up.ts';

type Ports = HelpAskPorts & {
  /** `null` with an Auth0 tenant, which keeps consents itself. */
  readonly consents: Pick<Consents, 'list' | 'revoke'> | null;
  readonly otps: Pick<Otps, 'send' | 'resend' | 'verify' | 'call' | 'callOffer'>;
  readonly recipients: Recipients;
  readonly passwords: Passwords;
  readonly passwordCheck: Pick<PasswordCheck, 'verify'>;
  readonly isGuessable: IsGuessable;
  readonly survey: Pick<Survey, 'own' | 'replace'>;
  readonly sharedDevices: Pick<SharedDevices, 'find' | 'switchOn' | 'switchOff'>;
  readonly subtenants: Pick<Subtenants, 'shown'>;
};

/** The page that is drawn. */
type AccountView = { readonly screen: ScreenName; readonly language: Language };

/** The answer to a form: the next page's address, or the data of the same page with its problems. */
type PageAnswer =
  | Extract<AccountAnswer, { readonly page: string }>
  | { readonly account: AccountData };

export type MyAccount = ReturnType<typeof createMyAccount>;

const NO_CONTACTS = {
  typed: {},
  contacts: {
    isEmailHere: false,
    waitsFor: undefined,
    isEmailChanged: false,
    isPhoneChanged: false,
    undo: null,
  },
};

/** Creates the pages of My account: words in and words out; the deeds change the person. */
export function createMyAccount(context: FullContext, ports: Ports) {
  const { db, clock } = context;
  const { consents } = ports;
  const stepUp = createStepUp(context, ports);
  const contacts = createContacts(context, { ...ports, stepUp });
  const helpers = createHelpers(context);
  const people = createPeople(context, ports);
  const appCodes = createAppCodePage(context, ports);
  const forms: AccountForms = {
    ...contacts.forms,
    ...createOwnForms(context, { ...ports, stepUp }),
    ...appCodes.forms,
    ...helpers.forms,
    ...people.forms,
    ...createOwnLink(context),
    ...createSharedDevice(context, ports.sharedDevices),
  };

  async function opensConsole(account: ActiveAccount, { loggedInUserId: userId, signInId }: Me) {
    const session = await findSession(db, { userId, signInId });
    return session ? consoleRoleIn(account, session, context.config.console) !== null : false;
  }

  /** Returns the data of the person's pages. @throws AppError NO_SESSION when the account has ended */
  async function read(me: Me, visit: Visit, page: AccountView): Promise<AccountData> {
    const { screen, language } = page;
    const { loggedInUserId: id } = me;
    const account = await findActiveAccount(db, id);
    if (!account) throw new AppError('NO_SESSION');
    const now = clock.now();
    const { sessions, own } = await ownSessions(context, me);
    const { shows = [] } = servedScreen(screen);
    const isOn = (part: AccountPart) => shows.includes(part);
    /** Reads a part where the page shows it. */
    const part = async <Value>(
      name: AccountPart,
      none: Value,
      readPart: () => Value | Promise<Value>,
    ): Promise<Value> => (isOn(name) ? readPart() : none);
    const apps = await part('apps', [], async () => (await consents?.list(id)) ?? []);
    // The file of one's own data changes no way in.
    const freshness = { byAnyCode: screen === 'myData' };
    const isFresh = await stepUp.isFreshIn(me, freshness);
    const asksProof = !isFresh && isOn('stepUp');
    const code = asksProof ? await stepUp.code(id, visit, language, freshness) : NO_CODE;
    const ofContacts = await part<Awaited<ReturnType<typeof contacts.read>>>(
      'contacts',
      NO_CONTACTS,
      () => contacts.read(account, me, { visit, language }),
    );
    return {
      firstName: account.first_name,
      lastName: account.last_name,
      email: account.email,
      phone: await phoneText(account),
      devices: hereFirst(sessions, own).map((each) => ({
        id: each.id,
        name: each.browser && deviceText(textsIn(language), each.browser),
        system: each.browser ? deviceSystem(each.browser) : null,
        agoMs: Math.max(0, now.getTime() - each.seenAt.getTime()),
        isHere: each === own,
      })),
      endedDevices: await part('endedDevices', [], () =>
        endedLately(context, { id, visit, language }),
      ),
      lastSignIn: await part('lastSignIn', null, () =>
        signInBefore(context, { account, visit, own, language }),
      ),
      // A key may give the proof, too.
      keys: isOn('keys') || asksProof ? await readKeys(context, id, textsIn(language)) : null,
      apps: apps.map(({ clientId, name }) => ({ clientId, name })),
      contacts: ofContacts.contacts,
      surveyOptions: await part('answers', [], () => surveyOptions(language)),
      answers: await part('answers', [], () => ports.survey.own(id, { visit, signedInAs: id })),
      display: account.display === null ? null : parsePreferences(account.display),
      closesOn:
        account.closing_at &&
        dateText(textsIn(language), account.closing_at, context.config.timeZone),
      helpers: await part('helpers', [], () => helpers.read(id)),
      people: await part('people', [], () => people.read(account, screen === 'myPeople')),
      organisation: await part('organisation', null, () => readOwnLink(context, me, visit)),
      opensConsole: await part('console', false, () => opensConsole(account, me)),
      isFresh,
      code,
      call: code.sentTo === null ? null : await stepUp.callOffer(id, visit),
      appCode: await appCodes.read(account, screen, { me, isFresh }),
      asksApp: account.hasAppCode,
      recoveryCodes: [],
      problems: {},
      typed: ofContacts.typed,
    };
  }

  return {
    read,
    isFreshIn: stepUp.isFreshIn,

    /** Runs the form of a page. @throws AppError BAD_REQUEST for an unknown form, NO_SESSION */
    async submit(
      screen: ScreenName,
      me: Me,
      sent: FormData,
      caller: Caller,
      language: Language,
    ): Promise<PageAnswer> {
      const form = forms[screen];
      if (!form) throw new AppError('BAD_REQUEST');
      const answer = sent.has('step')
        ? await stepUp.run(screen, me, sent, caller)
        : await answerAccountForm(screen, form, stepUp, { me, sent, caller });
      context.outbox.wake();
      if ('page' in answer) return answer;
      return { account: { ...(await read(me, caller.visit, { screen, language })), ...answer } };
    },
  };
}

/** The reader's own device first: it is the one that they know. */
const hereFirst = <Session>(sessions: readonly Session[], own: Session | undefined) => [
  ...sessions.filter((each) => each === own),
  ...sessions.filter((each) => each !== own),
];
