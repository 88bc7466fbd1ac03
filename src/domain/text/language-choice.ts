/** What is known of a visitor's language, strongest first; `null` where nobody said. */
export type LanguageWishes = {
  /** The visitor, in this browser. */
  readonly chosen: string | null;
  readonly account: string | null;
  /** The link that led here. */
  readonly link: string | null;
  /** The operator, for the subtenant. */
  readonly subtenant: string | null;
  /** The browser's settings: an `Accept-Language` header. */
  readonly accepted: string | undefined;
};

/** Names the language in a link: `?lang=es`. */
export const LANGUAGE_QUERY = 'lang';
/** Keeps a choice, or what a link said. */
export const LANGUAGE_COOKIE = 'language';

const FROM_LINK = '.link';

/**
 * Returns the language of a page.
 * @param offered those that browsers may ask for; the first is for everybody else
 * @param isKnown whether there are texts in a language
 */
export function chooseLanguage<Code extends string>(
  { chosen, account, link, subtenant, accepted = '' }: LanguageWishes,
  offered: readonly [Code, ...Code[]],
  isKnown: (code: unknown) => code is Code,
): Code {
  const named = [chosen, account, link, subtenant].find(isKnown);
  return named ?? firstSpoken(accepted, offered) ?? offered[0];
}

/** Returns the first of a browser's languages that is offered: `es` for `es-MX, en;q=0.5`. */
export function firstSpoken<Code extends string>(
  header: string,
  offered: readonly Code[],
): Code | undefined {
  const ranges = header.split(',').map((range) => {
    const [tag = '', ...parameters] = range
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    const weight = parameters.find((each) => each.startsWith('q='));
    return { language: tag.split('-', 1)[0], weight: weight ? Number(weight.slice(2)) : 1 };
  });
  return ranges
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ language }) => offered.find((code) => code === language))
    .find((code) => code !== undefined);
}

/** Returns the cookie's value for a choice, or for what a link said. */
export const writeLanguage = (language: string, isFromLink: boolean): string =>
  language + (isFromLink ? FROM_LINK : '');

/** Reads a `Cookie` header, which is untrusted. */
export function languageIn(cookieHeader = ''): Pick<LanguageWishes, 'chosen' | 'link'> {
  const value = /(?:^|;\s*)language=([\w-]*(?:\.link)?)/.exec(cookieHeader)?.[1];
  if (!value) return { chosen: null, link: null };
  if (!value.endsWith(FROM_LINK)) return { chosen: value, link: null };
  return { chosen: null, link: value.slice(0, -FROM_LINK.length) };
}
