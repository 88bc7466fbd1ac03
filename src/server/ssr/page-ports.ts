import type { Language } from '#locales/languages.ts';
import type { SurveyOption } from '#domain/people/survey.ts';
import type { Settings } from '../catalog/public-settings.ts';
import type { VisitCookie } from '../http/visit-cookie.ts';
import type { SharedDevices } from '../counter/shared-devices.ts';
import type { DeliveryOf } from '../proofs/otp/code-delivery.ts';
import type { SignIns } from '../sign-in/sign-ins.ts';
import type { StateOf } from '../sign-in/visit-state.ts';
import type { Subtenants } from '../subtenants/subtenants.ts';
import type { MailLinks } from '../contacts/mail-links.ts';
import type { Organisations } from '../organisations/organisations.ts';
import type { MyAccount } from '../my-account/my-account.ts';
import type { ServerContext } from '../core/context.ts';
import type { Boot, RenderedScreen } from '#contract/boot.ts';
import type { writeDocument } from './document.ts';
import type { PortalBuilds } from './portal-build.ts';

/** What becomes of a form: another page of the portal, another application, or a page that is shown. */
export type Outcome = { readonly headers: Readonly<Record<string, string | string[]>> } & (
  | { readonly page: string }
  | { readonly away: string }
  | {
      readonly shown: {
        readonly rendered: RenderedScreen;
        readonly boot: Boot;
        readonly parts: Parameters<typeof writeDocument>[4];
      };
    }
);

export type Deps = Pick<ServerContext, 'db' | 'clock' | 'config'> & {
  readonly buildFor: PortalBuilds;
  readonly settings: Settings;
  /** Sign-up asks for them by script; where none runs they stand in the page. */
  readonly surveyOptions: (language: Language) => readonly SurveyOption[];
  readonly visits: VisitCookie;
  readonly signIns: Pick<SignIns, 'findVisit' | 'currentWithAccount'>;
  readonly stateOf: StateOf;
  readonly deliveryOf: DeliveryOf;
  readonly myAccount: MyAccount;
  readonly mailLinks: MailLinks;
  readonly organisations: Pick<Organisations, 'page'>;
  readonly sharedDevices: Pick<
    SharedDevices,
    'opened' | 'useIn' | 'withBar' | 'screenFor' | 'wiping'
  >;
  readonly subtenants: Pick<Subtenants, 'remember' | 'shownLately'>;
  /** Origins that a page may ask for a password check and frame for a silent one, besides our own: a real tenant. */
  readonly providerOrigins: readonly string[];
};
