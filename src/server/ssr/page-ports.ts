import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Data } from '#contract/index.ts';
import type { ScreenName } from '#domain/flow/screens.ts';
import type { Language } from '#locales/languages.ts';
import type { SharedUse } from '#domain/people/counter-mode.ts';
import type { SurveyOption } from '#domain/people/survey.ts';
import type { Delivery } from '#domain/proofs/delivery.ts';
import type { Subtenant } from '#domain/people/subtenants.ts';
import type { Login, VisitState } from '#domain/flow/visit.ts';
import type { Visit, VisitCookie } from '../http/visit-cookie.ts';
import type { MailLinks } from '../contacts/mail-links.ts';
import type { MyAccount } from '../my-account/my-account.ts';
import type { HelpHours } from '../config/config.ts';
import type { ServerContext } from '../context.ts';
import type { Boot, RenderedScreen } from '#contract/boot.ts';
import type { writeDocument } from './document.ts';
import type { LanguageDeps, Speaker } from './page-language.ts';
import type { PortalBuilds } from './portal-build.ts';
import type { Cookies } from '../cookies.ts';

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

/** The part of shared devices that pages need. */
type SharedPages = {
  /** Counts an opened page as a sign of life. Returns the shared device, and since when a person uses it; `null` for an ordinary browser. */
  readonly opened: (
    cookies: Cookies,
    screen: ScreenName,
  ) => Promise<{ readonly started_at: Date | null } | null>;
  readonly useIn: (language: Language) => SharedUse;
  /** Puts the bar into a finished page of a shared device, and returns every other page as it is. */
  readonly withBar: (
    html: string,
    page: {
      readonly cookies: Cookies;
      readonly language: Language;
      readonly nonce: string | null;
    },
  ) => Promise<string>;
  /** Returns the screen in place of one that this browser, shared or not, or this person does not get. */
  readonly screenFor: (
    screen: ScreenName,
    device: { readonly started_at: Date | null } | null,
    login: Login | null,
  ) => ScreenName;
  /** Returns the headers that leave nothing of a person in the browser. */
  readonly wiping: (cookies: Cookies) => Readonly<Record<string, string | string[]>>;
};

export type Deps = Pick<ServerContext, 'db' | 'clock'> &
  LanguageDeps & {
    /** Returns the person of a complete sign-in of the visit. */
    readonly speakerOf: (visit: Visit) => Promise<Speaker | null>;
    readonly buildFor: PortalBuilds;
    readonly settings: Omit<Data<'getSettings'>, 'isCaptchaNeeded'>;
    readonly hours: HelpHours | null;
    /** Where this demo lives: another name of the same machine would be another origin. */
    readonly canonicalHost: string | null;
    /** Sign-up asks for them by script; where none runs they stand in the page. */
    readonly surveyOptions: (language: Language) => readonly SurveyOption[];
    readonly formToken: VisitCookie['formToken'];
    readonly isOwnXsrf: VisitCookie['isOwnXsrf'];
    /** Begins the visit of a browser that has none, with its cookies. @throws AppError TOO_MANY */
    readonly beginVisit: VisitCookie['ensure'];
    readonly visitTokenIn: VisitCookie['tokenIn'];
    readonly findVisit: (cookies: Cookies) => Promise<Visit | null>;
    readonly stateOf: (
      visit: Visit,
      request: {
        readonly interaction: string | null;
        readonly isForSwitcher: boolean;
        readonly cookies: Cookies;
      },
    ) => Promise<VisitState>;
    /** Returns the delivery states of the messages with the visit's code. */
    readonly deliveryOf: (visit: Visit, code: VisitState['code']) => Promise<Delivery | null>;
    readonly myAccount: MyAccount;
    readonly mailLinks: MailLinks;
    readonly sharedDevices: SharedPages;
    readonly rememberSubtenant: (visitId: string, id: number) => Promise<void>;
    readonly subtenantFor: (id: number | null) => Promise<Subtenant>;
    /** Origins that a page may ask for a password check and frame for a silent one, besides our own: a real tenant. */
    readonly providerOrigins: readonly string[];
  };

export type Pages = {
  /** Answers a page request: the finished screen, or the screen the visit is really at. */
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  /** Answers a form that a browser sent without script: with the next page, or the same one and what is wrong (decision 124). */
  submit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  /** Draws a screen for an address that is no page of the portal's own. */
  renderScreen(
    screen: ScreenName,
    request: IncomingMessage,
    details: { readonly form?: Boot['form']; readonly refusal?: Boot['refusal'] },
  ): Promise<{ readonly html: string; readonly contentSecurityPolicy: string }>;
};
