import type { ModuleConfig } from '../config/modules-file.ts';
import { publicSettings } from '../catalog/public-settings.ts';
import { createSurvey } from '../catalog/survey.ts';
import { createMailLinks } from '../contacts/mail-links.ts';
import { createSharedDevices } from '../counter/shared-devices.ts';
import { createHandOff } from '../hand-off/hand-off.ts';
import { createHandOffKeys } from '../hand-off/keys.ts';
import { signOutNoticeJob } from '../hand-off/sign-out-notices.ts';
import type { IdentityProvider } from '../identity-provider/port.ts';
import { createMyAccount } from '../my-account/my-account.ts';
import { createPagePerson } from '../my-account/page-person.ts';
import { toSentOtp } from '../otp/send-otp.ts';
import { createKeyOffers } from '../passkeys/key-offers.ts';
import { createBeginHosted } from '../sign-in/begin-hosted.ts';
import { createVisitStates } from '../sign-in/visit-state.ts';
import type { Codes } from './codes.ts';
import type { Core } from './core.ts';
import type { Delivery } from './delivery.ts';
import type { Clients } from './credentials.ts';
import type { createRequests } from './hosted-login.ts';
import type { Passwords } from './passwords.ts';
import type { SignIn } from './sign-in.ts';
import type { SignUp } from './sign-up.ts';

/** Creates the hand-off to modules, and the devices that do not get all of them. */
export function createModules(
  { context, keys, toLoopback }: Core,
  { signIns }: SignIn,
  modules: readonly ModuleConfig[],
) {
  const handOffKeys = createHandOffKeys(() => keys.current('handoff'));
  const notices = { modules, keys: handOffKeys, fetch: toLoopback };
  context.outbox.define(signOutNoticeJob(context, notices));
  return {
    modules,
    handOff: createHandOff(context, { keys: handOffKeys, modules, signIns }),
    sharedDevices: createSharedDevices(context, modules),
  };
}

/** Everything that stands before the pages. */
type Before = Core &
  Delivery &
  Clients &
  SignIn &
  SignUp &
  Codes &
  Passwords &
  ReturnType<typeof createModules> & {
    readonly requests: ReturnType<typeof createRequests>;
    readonly identityProvider: IdentityProvider;
  };

/** Creates what pages and their calls read: the step of a visit, and the person's own account. */
export function createPages(before: Before) {
  const { context, visits, metrics, signIns, identityProvider } = before;
  const stateOf = createVisitStates(context, { ...before, describe: toSentOtp });
  const survey = createSurvey(context);
  const myAccount = createMyAccount(context, {
    ...before,
    // A tenant keeps consents itself.
    consents: identityProvider.interactions && before.consents,
    passwords: identityProvider.passwords,
    survey,
  });
  return {
    settings: publicSettings(context.config, identityProvider.settings),
    beginHosted: createBeginHosted(visits, identityProvider, signIns),
    keyOffers: createKeyOffers(context, metrics),
    survey,
    stateOf,
    myAccount,
    mailLinks: createMailLinks(context, { ...before, isFreshIn: myAccount.isFreshIn }),
    pagePerson: createPagePerson(context, signIns, stateOf, myAccount),
  };
}
