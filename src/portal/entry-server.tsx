import './styles/tokens.css';
import './styles/base.css';
import { renderToString } from 'react-dom/server';
import { accentCss } from '#domain/theme.ts';
import font from '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2?url';
import { App, titleOf } from './app.tsx';
import icons from './assets/icons.svg?raw';
import porch from './assets/porch.svg?raw';
import type { Boot, RenderedScreen } from '#contract/boot.ts';
import { installPreHydration } from './pre-hydration.ts';
import { createAppContext } from './flow/app-context.ts';
import { loadScreen } from './screens/screens.ts';
import { screenFile } from './screens/screen-file.ts';

/** Draws the screen that the boot data name, exactly as the browser will when it hydrates. */
export async function render(input: {
  readonly path: string;
  readonly search: string;
  readonly boot: Boot;
}): Promise<RenderedScreen> {
  const { path, search, boot } = input;
  const module = await loadScreen(boot.screen);
  const context = createAppContext({ boot, place: { path, search }, module, load: loadScreen });
  return {
    html: renderToString(<App context={context} />),
    title: titleOf(context.view.get(), boot.subtenant.name),
    status: module.status ?? 200,
    module: `src/portal/screens/${screenFile(boot.screen)}`,
  };
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
