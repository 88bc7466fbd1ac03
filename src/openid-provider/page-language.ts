import type { IncomingMessage } from 'node:http';
import { chooseLanguage, languageIn } from '#domain/text/language-choice.ts';
import { isLanguage, type Language, OFFERED } from '#locales/languages.ts';

/** Returns the language of a page of the provider; `ui_locales` of the request counts as the link's (OpenID Connect 3.1.2.1). */
export function languageOf({ headers, url = '' }: IncomingMessage): Language {
  const { chosen, link } = languageIn(headers.cookie);
  const asked = new URLSearchParams(url.split('?', 2)[1]).get('ui_locales');
  const accepted = [asked?.trim().replaceAll(/\s+/g, ','), headers['accept-language']];
  return chooseLanguage<Language>(
    { chosen, account: null, link, subtenant: null, accepted: accepted.filter(Boolean).join(',') },
    OFFERED,
    isLanguage,
  );
}
