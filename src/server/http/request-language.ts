import type { IncomingHttpHeaders } from 'node:http';
import { chooseLanguage, languageIn, type LanguageWishes } from '#domain/text/language-choice.ts';
import { isLanguage, type Language, OFFERED, ORIGINAL } from '#locales/languages.ts';

/** What the browser itself does not say; `link`: of this request, which wins over an earlier one's. */
type Known = Partial<Pick<LanguageWishes, 'account' | 'link' | 'subtenant'>>;

/** Returns the language in which a request is answered. */
export function requestLanguage(
  { headers }: { readonly headers: IncomingHttpHeaders },
  { account = null, link = null, subtenant = null }: Known = {},
): Language {
  const kept = languageIn(headers.cookie);
  const accepted = headers['accept-language'];
  const wishes = { chosen: kept.chosen, account, link: link ?? kept.link, subtenant, accepted };
  return chooseLanguage<Language>(wishes, OFFERED, isLanguage);
}

/** Returns the language of a request that says more than nothing: the original counts only where it was chosen. */
export function spokenLanguage(request: Parameters<typeof requestLanguage>[0]): Language | null {
  const language = requestLanguage(request);
  const isChosen = languageIn(request.headers.cookie).chosen !== null;
  return language === ORIGINAL && !isChosen ? null : language;
}
