import type { ModuleConfig } from '../config/modules-file.ts';
import { publicSettings } from '../catalog/public-settings.ts';
import { createSurvey } from '../catalog/survey.ts';
import { createMailLinks } from '../contacts/mail-links.ts';
import { createSharedDevices } from '../counter/shared-devices.ts';
import { createHandOff } from '../hand-off/hand-off.ts';
import { createHandOffKeys } from '../hand-off/keys.ts';
import { signOutNoticeJob } from '../hand-off/sign-out-notices.ts';
import { createMyAccount } from '../my-account/my-account.ts';
import { createPagePerson } from '../my-account/page-person.ts';
import { createInvitationPage } from '../people/invitation-page.ts';
import { organisationOfNew } from '../organisations/invited.ts';
import { createOrganisations } from '../organisations/organisations.ts';
import { toSentOtp } from '../proofs/otp/send-otp.ts';
import { createKeyOffers } from '../proofs/passkeys/key-offers.ts';
import { createBeginHosted } from '../sign-in/begin-hosted.ts';
import { createVisitStates } from '../sign-in/visit-state.ts';
import type { HostedLogin } from './hosted-login.ts';

/** Adds what pages and their calls read: the step of a visit, the modules, and the person's own account. */
export function addPages(login: HostedLogin, modules: readonly ModuleConfig[]) {
  const before = { ...login, ...createModules(login, modules) };
  const { context, visits, metrics, signIns, identityProvider, requests, knownBrowsers } = before;
  const { sharedDevices, otps, passwordCheck, hasTexts } = before;
  const stateOf = createVisitStates(context, {
    signIns,
    requests,
    knownBrowsers,
    sharedDevices,
    describe: toSentOtp,
  });
  const beginHosted = createBeginHosted(visits, identityProvider, signIns);
  const survey = createSurvey(context);
  const myAccount = createMyAccount(context, {
    ...before,
    // A tenant keeps consents itself.
    consents: identityProvider.interactions && before.consents,
    survey,
  });
  return {
    ...before,
    settings: publicSettings(context.config, identityProvider.settings),
    beginHosted,
    organisations: createOrganisations(context, {
      signIns,
      beginHosted,
      isTenant: before.tenant !== null,
    }),
    keyOffers: createKeyOffers(context, metrics),
    survey,
    stateOf,
    myAccount,
    mailLinks: createMailLinks(context, {
      otps,
      passwordCheck,
      hasTexts,
      isFreshIn: myAccount.isFreshIn,
      invitation: createInvitationPage(context, {
        ...before,
        organisationOf: (invitation) => organisationOfNew(context, invitation),
      }),
    }),
    pagePerson: createPagePerson(context, signIns, stateOf, myAccount),
  };
}

/** Creates the hand-off to modules, and the devices that do not get all of them. */
function createModules(
  { context, keys, toLoopback, signIns }: HostedLogin,
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
