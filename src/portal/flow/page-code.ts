import { spacedPageCode } from '#domain/help-desk/page-code.ts';
import { pageCode as t } from '#texts/page-code.ts';
import type { AppContextValue } from './app-context.ts';

type Context = Pick<AppContextValue, 'api' | 'view'>;

/** Gets the letters that show the help desk this page. @returns the words to show when there are none */
export async function getPageCode({ api, view }: Context): Promise<string> {
  const { screen } = view.get();
  const result = await api.call('givePageCode', { body: { screen } });
  return result.kind === 'ok' ? spacedPageCode(result.data.code) : t.codeAway;
}

/** Puts the letters into the open help card, which the server rendered. */
export async function fillHelpCard(card: Element, context: Context): Promise<void> {
  const place = card.querySelector('[data-page-code]');
  if (place) place.textContent = await getPageCode(context);
}
