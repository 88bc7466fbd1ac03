import { reduce } from '#domain/flow/flow.ts';
import { DONE_QUERY } from '#domain/flow/done.ts';
import { screenDoor } from '#domain/looks/porch-door.ts';
import type { FlowState } from '#domain/flow/state.ts';
import { stateFor } from '#domain/flow/initial-state.ts';
import type { Entrance } from '#domain/people/role-routing.ts';
import { EXPIRED_QUERY, pathOf, type ScreenName } from '#domain/flow/screens.ts';
import { EMPTY_VISIT, screenFor, type VisitState } from '#domain/flow/visit.ts';
import { phoneExtension, splitDialCode, type Country } from '#domain/typed/phone.ts';
import type { Boot, Way } from '#contract/boot.ts';
import { createRunEffect } from '../flow/effects/run-effect.ts';
import type { AppContextValue } from '../flow/app-context.ts';
import { createFlow, type Runner } from '../flow/flow.ts';
import {
  interactionQuery,
  nextPageIn,
  type ScreenModule,
  type View,
  withCarriedQuery,
} from '../flow/view.ts';
import {
  type FormActions,
  createFormActions,
  type FormRules,
  type Known,
  NOTICE,
} from '../lib/form-actions.ts';
import { hasProblems, readForm } from '../lib/form-values.ts';
import { createStore, type Store } from '../lib/store.ts';
import { type Browser, createNativeApi, createNativeIdentity } from './browser.ts';

type Input = {
  readonly boot: Boot;
  readonly place: Pick<View, 'path' | 'search'>;
  readonly module: ScreenModule;
  readonly sent: FormData;
  readonly known: Known;
  readonly browser: Browser;
  /** Renders the screen; its forms and buttons register their actions. */
  readonly renderScreen: (context: AppContextValue, formActions: FormActions) => string;
};

/** More renderings than any page needs before its form is there. */
const MOST_DRAWINGS = 4;

/**
 * Answers a no-JavaScript form or button (decision 124). The screen is rendered as for a browser, which registers the
 * actions of its forms; the sent values go through the same checks, flow and calls.
 */
export async function answerForm(input: Input) {
  const { sent, known, renderScreen } = input;
  let way = null as Way | null;
  const formActions = createFormActions(known, sent);
  const { context, run } = createNativeContext(input, {
    lead: (to) => (way = to),
    say: (text) => formActions.kept.set(NOTICE, text),
  });
  let html = '';
  const asked = new Set<string>();
  /** Renders, and asks what the screen has not asked yet: a form that a button opens has questions of its own. */
  const draw = async () => {
    html = renderScreen(context, formActions);
    for (const [question, ask] of formActions.questions) {
      if (!asked.has(question)) await ask();
      asked.add(question);
    }
    amendPhone(sent, formActions.kept.get('countries') as readonly Country[] | undefined);
  };
  await draw();
  if (context.flow.get().at === 'selectRole') await gainBearer(run, context.flow.get());
  const name = fieldText(sent.get('action'));
  for (let rounds = 1; rounds < MOST_DRAWINGS && !way; rounds += 1) {
    await draw();
    const form = formActions.forms.get(name);
    const press = formActions.buttons.get(name);
    if (form) await submit(name, form, sent, formActions);
    else if (press) await press();
    else {
      // A button in the answer to a form, or a form that a button opens.
      const after = fieldText(sent.get('after'));
      const before = formActions.forms.get(after);
      if (before) await submit(after, before, sent, formActions);
      else await formActions.buttons.get(`open:${name}`)?.();
      continue;
    }
    if (!way) html = renderScreen(context, formActions);
    break;
  }
  const state = context.flow.get();
  const hasFlowProblem = 'problem' in state && state.problem !== null;
  const problems = (formActions.kept.get(name) ?? {}) as Parameters<typeof hasProblems>[0];
  return { way, context, formActions, html, hasProblem: hasFlowProblem || hasProblems(problems) };
}

/** Gets a bearer for this request from the hosted session, because only a browser with script keeps one. */
async function gainBearer(run: Runner['run'], state: FlowState): Promise<void> {
  const found = await run({ do: 'checkSession', loginTicket: null }, state);
  if (found?.type === 'sessionFound') await run({ do: 'recordLogin', answer: found.answer }, state);
}

async function submit(
  name: string,
  form: FormRules<string>,
  sent: FormData,
  { kept }: FormActions,
) {
  const values = readForm<string>(sent);
  const found = form.validate?.(values) ?? {};
  kept.set(name, hasProblems(found) ? found : ((await form.onSubmit(values)) ?? {}));
}

const fieldText = (value: FormDataEntryValue | null) => (typeof value === 'string' ? value : '');

/** Splits a whole number into country code and rest; with script, the picker does so. */
function amendPhone(sent: FormData, countries: readonly Country[] = []): void {
  const typed = fieldText(sent.get('phone'));
  const whole = phoneExtension(typed) ? null : splitDialCode(typed, countries);
  if (!whole) return;
  sent.set('phone', whole.number);
  sent.set('dialCode', whole.country.value);
  sent.set('country', whole.country.iso);
}

/** Makes each rendering read a store's current value; a hydrating browser reads its first one. */
function live<T, S extends Pick<Store<T>, 'get' | 'getFirst'>>(
  store: S & Pick<Store<T>, 'get'>,
): S {
  return { ...store, getFirst: store.get };
}

type Outcomes = { readonly lead: (way: Way) => void; readonly say: (text: string) => void };

/** Creates the context of one request. Its steps lead to pages instead of rendering them. */
function createNativeContext({ boot, place, module, browser }: Input, { lead, say }: Outcomes) {
  const { screen, entrance, visit, settings } = boot;
  const now = () => performance.now();
  const api = createNativeApi(browser);
  const subtenant = live(createStore(boot.subtenant));
  const view = live(createStore<View>({ id: 0, screen, entrance, visit, module, ...place }));
  const toPage = (href: string) =>
    lead({ kind: 'page', href: withCarriedQuery(href, place.search) });
  const leave = (url: string) => (url.startsWith('/') ? toPage(url) : lead({ kind: 'away', url }));
  const interaction = () => interactionQuery(place.search).request ?? null;

  async function whereTheVisitIs(): Promise<VisitState> {
    const result = await api.call('getVisit', { query: interactionQuery(place.search) });
    return result.kind === 'ok' ? result.data : EMPTY_VISIT;
  }
  function toSignIn(from: Entrance | undefined, { hasTimedOut }: VisitState): void {
    toPage(pathOf('signIn', from) + (hasTimedOut ? `?${EXPIRED_QUERY}=1` : ''));
  }

  const run = createRunEffect({
    api,
    settings,
    identity: createNativeIdentity(browser),
    subtenantId: () => subtenant.get().id,
    interaction,
    nextPage: () => nextPageIn(place.search),
    // Saving a key takes script.
    offersKey: async () => false,
    async show(to: ScreenName, from) {
      const state = flow.get();
      toPage(pathOf(to, from) + (state.at === 'done' ? `?${DONE_QUERY}=${state.message}` : ''));
    },
    async restart(fallback, from) {
      const state = await whereTheVisitIs();
      const found = screenFor(screen, state);
      if (found === 'signIn')
        return fallback === 'signIn' ? toSignIn(from, state) : toPage(pathOf(fallback));
      toPage(pathOf(found, from ?? entrance));
    },
    async signInAgain(from) {
      toSignIn(from, await whereTheVisitIs());
    },
    leave,
    toast: (_tone, text) => say(text),
    // The progress steps are only visual.
    pause: () => Promise.resolve(),
    userAgent: browser.userAgent,
    now,
  });
  const flow = createFlow({
    first: stateFor(screen, entrance, visit, now()),
    loadRunner: async () => ({ reduce, run }),
    now,
  });
  const context: AppContextValue = {
    boot,
    api,
    flow: live(flow),
    view,
    subtenant,
    door: live(createStore(screenDoor(screen, false))),
    flashMessage: live(createStore({})),
    origin: browser.origin,
    leave,
    current: view.get,
    go(href, { state } = {}) {
      // There is no history entry, so the address names the message.
      toPage(state && 'done' in state ? `${href}?${DONE_QUERY}=${String(state.done)}` : href);
      return true;
    },
    arrive: async (href) => toPage(href),
    open: () => undefined,
    resume: () => undefined,
    preload: () => undefined,
    prepare: () => undefined,
    reopen: async () => toPage(place.path + place.search),
  };
  return { context, run };
}
