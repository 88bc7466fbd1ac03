import './styles/tokens.css';
import './styles/base.css';
import { renderToString } from 'react-dom/server';

import { accentCss } from '#domain/theme.ts';
import font from '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2?url';
import { App, titleOf } from './app.tsx';
import icons from './assets/icons.svg?raw';
import porch from './assets/porch.svg?raw';
import type { AnsweredForm, Boot, RenderedScreen } from '#contract/boot.ts';
import { ui } from '#locales/en/ui.ts';
import { type Answering, AnsweringContext, createAnswering } from './lib/answering.ts';
import { answerForm } from './native/answer.ts';
import type { Browser } from './native/browser.ts';
import { installPreHydration } from './pre-hydration.ts';
import { type AppContextValue, createAppContext } from './flow/app-context.ts';
import { loadScreen } from './screens/screens.ts';
import { screenFile } from './screens/screen-file.ts';

/** Draws the screen that the boot data name, exactly as the browser will when it hydrates. */
export async function render(input: {
  readonly path: string;
  readonly search: string;
  readonly boot: Boot;
  readonly origin: string;
  /** What the page asks for by script, where it is known beforehand. */
  readonly known: Readonly<Record<string, unknown>>;
}): Promise<RenderedScreen> {
  const { path, search, boot, origin, known } = input;
  const module = await loadScreen(boot.screen);
  const place = { path, search };
  const context = createAppContext({ boot, place, module, load: loadScreen, origin });
  const answering = createAnswering();
  for (const [name, value] of Object.entries(known)) answering.kept.set(name, value);
  return {
    html: draw(context, answering),
    title: titleOf(context.view.get(), boot.subtenant.name),
    status: module.status ?? 200,
    module: `src/portal/screens/${screenFile(boot.screen)}`,
    forms: [...answering.forms.keys()],
  };
}

/** Answers what a browser sent without script: with the way that it goes, or with the same screen. */
export async function answer(input: {
  readonly path: string;
  readonly search: string;
  readonly boot: Boot;
  readonly sent: FormData;
  readonly browser: Browser;
}): Promise<AnsweredForm> {
  const { path, search, boot, sent, browser } = input;
  const module = await loadScreen(boot.screen);
  const place = { path, search };
  const { way, context, answering, html, hasProblem } = await answerForm({
    boot,
    place,
    module,
    sent,
    browser,
    draw,
  });
  if (way) return { way, rendered: null };
  const title = titleOf(context.view.get(), boot.subtenant.name);
  return {
    way: null,
    rendered: {
      html,
      title: hasProblem ? ui.errorTitlePrefix + title : title,
      status: 200,
      module: '',
      forms: [...answering.forms.keys()],
    },
  };
}

function draw(context: AppContextValue, answering: Answering): string {
  answering.forms.clear();
  answering.buttons.clear();
  answering.questions.clear();
  return renderToString(
    <AnsweringContext value={answering}>
      <App context={context} />
    </AnsweringContext>,
  );
}

/** Runs inline in the head, before the first paint. */
export const preHydrationSource = `(${installPreHydration.toString()})()`;
/** Icons and the parts of the porch: once in the page, every drawing refers to them. */
export const sprite = icons + porch;
export const fontUrl = font;

/** The colours that follow from the subtenant's accent, over the tokens. */
export function themeCss(accent: string | null): string {
  return accentCss(accent);
}
