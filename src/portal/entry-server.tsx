import './styles/tokens.css';
import './styles/base.css';
import { renderToString } from 'react-dom/server';

import { accentCss } from '#domain/looks/theme.ts';
import { App, windowTitle } from './app.tsx';
import { runBar } from './counter-bar.ts';
import icons from './assets/icons.svg?raw';
import type { AnsweredForm, Boot, RenderedScreen } from '#contract/boot.ts';
import { ui } from '#texts/ui.ts';
import {
  type FormActions,
  FormActionsContext,
  createFormActions,
  type Known,
} from './lib/form-actions.ts';
import { answerForm } from './no-js/answer.ts';
import type { Browser } from './no-js/browser.ts';
import { installPreHydration, type HydrationPlan } from './pre-hydration.ts';
import { type AppContextValue, createAppContext, ServerParts } from './flow/app-context.ts';
import { HelpCard } from './shell/help-card.tsx';
import { loadScreen } from './screens/screens.ts';
import { OrganisationButtons } from './flow/organisation-buttons.tsx';
import { wakingOf } from './screens/waking.ts';
import { screenFile } from './screens/screen-file.ts';

type PageInput = {
  readonly path: string;
  readonly search: string;
  readonly boot: Boot;
  readonly known: Known;
};

/** Renders the screen of the boot data, exactly as the browser will when it hydrates. */
export async function render(
  input: PageInput & { readonly origin: string },
): Promise<RenderedScreen> {
  const { path, search, boot, origin, known } = input;
  const module = await loadScreen(boot.screen);
  const place = { path, search };
  const context = createAppContext({ boot, place, module, load: loadScreen, origin });
  const formActions = createFormActions(known);
  return {
    html: renderScreen(context, formActions),
    title: titleIn(context),
    status: module.status ?? 200,
    module: `src/portal/screens/${screenFile(boot.screen)}`,
    forms: [...formActions.forms.keys()],
    waking: wakingOf(boot, search),
  };
}

const titleIn = ({ view, boot }: AppContextValue) =>
  windowTitle(view.get(), boot, boot.subtenant.name);

/** Answers a no-JavaScript form: with the next page's address, or with the same screen. */
export async function answer(
  input: PageInput & { readonly sent: FormData; readonly browser: Browser },
): Promise<AnsweredForm> {
  const { path, search, ...request } = input;
  const module = await loadScreen(input.boot.screen);
  const asked = { ...request, place: { path, search }, module, renderScreen };
  const { way, context, formActions, html, hasProblem } = await answerForm(asked);
  if (way) return { way, rendered: null };
  const title = titleIn(context);
  return {
    way: null,
    rendered: {
      html,
      title: hasProblem ? ui.errorTitlePrefix + title : title,
      status: 200,
      module: '',
      forms: [...formActions.forms.keys()],
      waking: 'whenUsed',
    },
  };
}

function renderScreen(context: AppContextValue, formActions: FormActions): string {
  formActions.forms.clear();
  formActions.buttons.clear();
  formActions.questions.clear();
  return renderToString(
    <FormActionsContext value={formActions}>
      <ServerParts value={{ OrganisationButtons }}>
        <App context={context} />
      </ServerParts>
    </FormActionsContext>,
  );
}

/** Runs inline in the head, before the first paint. `entry` is the address of the bundle. */
export function preHydration(entry: string, plan: HydrationPlan): string {
  const load = `() => import(${JSON.stringify(entry)})`;
  return `(${installPreHydration.toString()})(${load},${JSON.stringify(plan)})`;
}

/** Returns the script of a shared device's bar. No bundle of the browser has it. */
export function counterScript(): string {
  return `(${runBar.toString()})()`;
}

const shapes = new Map(
  [...icons.matchAll(/^<\w+ id="([\w-]+)".*$/gm)].map(([shape, id = '']) => [id, shape]),
);

/** Renders the help card of the lamp, beside React's root. */
export function helpCard(boot: Pick<Boot, 'settings' | 'hours'>): string {
  return renderToString(<HelpCard {...boot} />);
}

/** Returns the icons of a rendered screen and the parts of its porch, once in the page; every use refers to them. */
export function sprite(html: string): string {
  const drawn = new Map<string, string>();
  const add = (text: string) => {
    for (const [, id = ''] of text.matchAll(/["(]#([\w-]+)/g)) {
      const shape = shapes.get(id);
      if (!shape || drawn.has(id)) continue;
      drawn.set(id, shape);
      // A part of the porch may be made of others.
      add(shape);
    }
  };
  add(html);
  const defs = [...drawn.values()].join('');
  return `<svg id="icons" class="visually-hidden" aria-hidden="true"><defs>${defs}</defs></svg>`;
}

/** Returns the colours of the subtenant's accent, which override the tokens. */
export function themeCss(accent: string | null): string {
  return accentCss(accent);
}
