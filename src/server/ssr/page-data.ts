import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Boot } from '#contract/boot.ts';
import {
  entranceOf,
  INTERACTION_QUERY,
  screenAt,
  type ScreenName,
  SCREENS,
} from '#domain/flow/screens.ts';
import { EMPTY_VISIT, screenFor, type VisitState } from '#domain/flow/visit.ts';
import { DISPLAY_FORM } from '#domain/looks/display.ts';
import { parseSubtenantId, type Subtenant } from '#domain/people/subtenants.ts';
import { parseOpeningHours } from '#domain/text/opening-hours.ts';
import { textsIn } from '#locales/catalogue.ts';
import { type Language, LANGUAGES, OFFERED } from '#locales/languages.ts';
import { cookiesIn } from '../core/cookies.ts';
import type { Visit } from '../http/visit-cookie.ts';
import { chosenDisplay, displayPreferences } from './display-cookie.ts';
import { createHoursNow } from './hours-now.ts';
import { type createPageLanguages, type Speaker, signedInSpeaker } from './page-language.ts';
import type { Deps } from './page-ports.ts';
import { isSignInFor } from './visit-screen.ts';

/** The data of a page, and its language. */
export type Page = {
  readonly boot: Boot;
  readonly language: Language;
  readonly speaker: Speaker | null;
};

/** Creates the reading of what a page shows. */
export function createPageData(deps: Deps, languages: ReturnType<typeof createPageLanguages>) {
  const { config, settings, stateOf, subtenants, surveyOptions } = deps;

  return { knownAt, bootFor };

  /** Returns the hours of the subtenant, by the clock of the service; without its own, those of the service. */
  function hoursIn(language: Language, { helpHours = '' }: Subtenant): Boot['hours'] {
    const spans = parseOpeningHours(helpHours);
    const hours = spans ? { spans, timeZone: config.timeZone ?? 'UTC' } : config.helpHours;
    return hours && createHoursNow(hours, textsIn(language))(deps.clock.now());
  }

  /** Returns the data of a no-JavaScript page at its start. */
  async function knownAt(path: string, request: FastifyRequest, visit: Visit | null, boot: Boot) {
    const isCodeEntry = boot.screen === 'verifyOtp' && visit !== null;
    return {
      ...displayPreferences(request),
      ...(screenAt(path) && { [DISPLAY_FORM]: chosenDisplay(request.cookies) }),
      ...(isCodeEntry && { delivery: await deps.deliveryOf(visit, boot.visit.code) }),
    };
  }

  /** Returns the subtenant that the address names, and stores it in the visit; or that of the visit. */
  async function subtenantOf(
    query: URLSearchParams,
    visit: Visit | null,
    { state, isShared }: { readonly state: VisitState; readonly isShared: boolean },
  ): Promise<Pick<Boot, 'subtenant' | 'isSubtenantNamed'>> {
    const named = parseSubtenantId(query.get('subtenantId') ?? undefined);
    const subtenant = await subtenants.shownLately(named ?? state.subtenantId);
    if (visit && subtenant.id === named) await subtenants.remember(visit.id, named);
    const { organisations, ...alone } = subtenant;
    // The next person of a shared device would be the same one there; a tenant has sign-ins of its own.
    const hasButtons = organisations && !isShared && config.tenant === null;
    return { subtenant: hasButtons ? subtenant : alone, isSubtenantNamed: named !== null };
  }

  /** Returns what a page shows: the screen that the visit is really at, and its data. */
  async function bootFor(
    request: IncomingMessage,
    visit: Visit | null,
    path: string,
    query: URLSearchParams,
  ): Promise<Page> {
    const cookies = cookiesIn(request.headers.cookie);
    const asked = screenAt(path) ?? 'notFound';
    const interaction = query.get(INTERACTION_QUERY);
    const isForSwitcher = needsRoles(asked);
    const state = visit
      ? await stateOf(visit, { interaction, isForSwitcher, cookies })
      : EMPTY_VISIT;
    const device = await deps.sharedDevices.opened(cookies, asked);
    const shownFor = await subtenantOf(query, visit, { state, isShared: device !== null });
    const screen = deps.sharedDevices.screenFor(
      screenFor(asked === 'signIn' && isSignInFor(state) ? 'clientSignIn' : asked, state),
      device,
      state.login,
    );
    const isOfAccount = SCREENS[screen].needs === 'account' && state.login;
    const speaker = visit && state.login ? await signedInSpeaker(deps.signIns, visit) : null;
    const language = await languages.of(request, speaker, shownFor.subtenant);
    const boot = {
      ...shownFor,
      ...(await deps.organisations.page(screen, query, visit)),
      visit: state,
      settings: device ? { ...settings, keys: undefined } : settings,
      ...(screen === 'signUp' && { survey: surveyOptions(language) }),
      ...(device && { sharedUse: deps.sharedDevices.useIn(language) }),
      ...(OFFERED.length < Object.keys(LANGUAGES).length && { languages: OFFERED }),
      hours: hoursIn(language, shownFor.subtenant),
      screen,
      account:
        visit && isOfAccount
          ? await deps.myAccount.read(isOfAccount, visit, { screen, language })
          : null,
      link: await deps.mailLinks.read(screen, query, { visit, me: state.login, language }),
      entrance: entranceOf(path),
      form: null,
      refusal: null,
    } satisfies Boot;
    return { boot, language, speaker };
  }
}

/** A change that staff were asked for may be proven by a session; an invitation is for no signed-in person. */
const needsRoles = (screen: ScreenName) =>
  ['roles', 'account'].includes(SCREENS[screen].needs) ||
  screen === 'staffChange' ||
  screen === 'invitation';
