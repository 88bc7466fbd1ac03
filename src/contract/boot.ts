import type { Entrance } from '#domain/people/role-routing.ts';
import type { HoursNow } from '#domain/text/opening-hours.ts';
import type { ScreenName } from '#domain/flow/screens.ts';
import type { SharedUse } from '#domain/people/counter-mode.ts';
import type { SurveyOption } from '#domain/people/survey.ts';
import type { Subtenant } from '#domain/people/subtenants.ts';
import type { VisitState } from '#domain/flow/visit.ts';
import type { Translated } from '#locales/languages.ts';
import type { OrganisationPage } from './organisation.ts';
import type { Data } from './index.ts';
import type { AccountData, MailLink } from './my-account.ts';

/** The data beside a page's markup: the browser hydrates from it. */
export type Boot = {
  readonly subtenant: Subtenant;
  /** The query named the subtenant: it wins over the remembered one (GEN-04). */
  readonly isSubtenantNamed: boolean;
  readonly visit: VisitState;
  /** Where an operator switched some off: the languages to choose from. */
  readonly languages?: readonly Translated[];
  readonly settings: Omit<Data<'getSettings'>, 'isCaptchaNeeded'>;
  /** As of now, by the server's clock; `null`: no hours are known. */
  readonly hours: HoursNow | null;
  readonly screen: ScreenName;
  /** The signed-in person's data, on the pages of My account alone. */
  readonly account: AccountData | null;
  /** What a mailed link opened, on the pages of such links alone. */
  readonly link: MailLink | null;
  /** Question 213, on the page of sign-up alone. */
  readonly survey?: readonly SurveyOption[];
  /** On the page after an organisation's answer alone. */
  readonly organisation?: OrganisationPage;
  /** On a shared device alone. */
  readonly sharedUse?: SharedUse;
  readonly entrance: Entrance;
  /** The sign-out form of the identity provider; `target`: where its answer leads in the end. */
  readonly form: {
    readonly action: string;
    readonly xsrf: string;
    readonly target: string | null;
  } | null;
  /** Why an application's request got no further; the cause is for its developers, in a demo. */
  readonly refusal: { readonly reference: string; readonly cause: string | null } | null;
};

/** When a page's scripts run: after its first paint, at the first interaction, or when a button is pressed. */
export type Waking = 'atOnce' | 'whenUsed' | 'whenPressed';

/** A screen, drawn on the server. */
export type RenderedScreen = {
  readonly html: string;
  readonly title: string;
  readonly status: number;
  /** The screen's module by its name in the build's manifest, for the files to send along. */
  readonly module: string;
  /** The ids of its forms; the server adds the hidden fields of a browser without script to each. */
  readonly forms: readonly string[];
  readonly waking: Waking;
};

/** The answer to a form that was sent without script. */
export type AnsweredForm =
  | { readonly way: Way; readonly rendered: null }
  | { readonly way: null; readonly rendered: RenderedScreen };

/** Where the browser goes next: to a page of the portal, or to another application. */
export type Way =
  | { readonly kind: 'page'; readonly href: string }
  | { readonly kind: 'away'; readonly url: string };
