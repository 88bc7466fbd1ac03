import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { DISPLAY_COOKIE_SECONDS } from '#domain/looks/display.ts';
import {
  LANGUAGE_COOKIE,
  LANGUAGE_QUERY,
  languageIn,
  writeLanguage,
} from '#domain/text/language-choice.ts';
import type { Subtenant } from '#domain/people/subtenants.ts';
import { isLanguage, isTranslated, type Language } from '#locales/languages.ts';
import { setLanguage } from '../accounts/account-store.ts';
import type { ServerContext } from '../core/context.ts';
import { requestLanguage } from '../http/request-language.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { SignIns } from '../sign-in/sign-ins.ts';

/** The signed-in person of a page, with the language that they chose. */
export type Speaker = { readonly id: number; readonly language: string | null };

/** Returns the person of a complete sign-in of the visit. */
export async function signedInSpeaker(
  signIns: Pick<SignIns, 'currentWithAccount'>,
  visit: Visit,
): Promise<Speaker | null> {
  const found = await signIns.currentWithAccount(visit);
  const { id, language = null } = found?.account ?? {};
  return found?.attempt.stage === 'complete' && id ? { id, language } : null;
}

type Asked = Pick<IncomingMessage, 'headers'> & { readonly url?: string | undefined };

/** Creates the choice of a page's language, and what keeps it (decision 201). */
export function createPageLanguages({ db, config }: Pick<ServerContext, 'db' | 'config'>) {
  const { origin } = new URL(config.publicUrl);
  // A pseudo-language may be asked for.
  const isDemo = config.mode === 'demo';

  const offered = (code: unknown): Language | null =>
    isLanguage(code) && (isDemo || isTranslated(code)) ? code : null;

  /** Returns the language that an address names. */
  const namedBy = ({ url = '' }: Asked): Language | null => {
    const query = new URLSearchParams(url.split('?', 2)[1]);
    return offered(query.get(LANGUAGE_QUERY));
  };

  /** A link of another site is no choice of the visitor's. */
  const isFromOwnPage = ({ headers }: Asked): boolean => {
    const { 'sec-fetch-site': site, referer } = headers;
    return site === undefined ? (referer ?? '').startsWith(`${origin}/`) : site === 'same-origin';
  };

  const store = (reply: FastifyReply, value: string, maxAge?: number): FastifyReply =>
    reply.setCookie(LANGUAGE_COOKIE, value, {
      path: '/',
      sameSite: 'lax',
      secure: origin.startsWith('https:'),
      ...(maxAge !== undefined && { maxAge }),
    });

  /** Keeps a choice in this browser, and with the signed-in person. */
  async function choose(reply: FastifyReply, language: Language, person: Speaker | null) {
    store(reply, writeLanguage(language, false), DISPLAY_COOKIE_SECONDS);
    if (person) await setLanguage(db, person.id, language);
  }

  return {
    offered,
    choose,

    /** Returns the language of a page. */
    async of(request: Asked, person: Speaker | null, subtenant: Subtenant): Promise<Language> {
      const { chosen } = languageIn(request.headers.cookie);
      // What was chosen before the sign-in goes on with the account.
      if (person && !person.language && isLanguage(chosen)) {
        await setLanguage(db, person.id, chosen);
      }
      return requestLanguage(request, {
        account: person?.language ?? null,
        link: namedBy(request),
        subtenant: subtenant.language ?? null,
      });
    },

    /**
     * Keeps the language that an address names: for ever if a page of ours led here, else until the browser closes.
     * @returns the address to go on to after a choice, else `null`
     */
    async keep(request: FastifyRequest, reply: FastifyReply, person: Speaker | null) {
      const language = namedBy(request);
      if (!language) return null;
      if (isFromOwnPage(request)) {
        await choose(reply, language, person);
        return withoutLanguage(request.url);
      }
      if (!languageIn(request.headers.cookie).chosen) store(reply, writeLanguage(language, true));
      return null;
    },
  };
}

function withoutLanguage(url: string): string {
  const [path = '/', search = ''] = url.split('?', 2);
  const query = new URLSearchParams(search);
  query.delete(LANGUAGE_QUERY);
  return query.size > 0 ? `${path}?${String(query)}` : path;
}
