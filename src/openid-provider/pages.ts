/** The few pages of the provider itself: small, without JavaScript, each with a link that leads on. */

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { pathOf } from '#domain/flow/screens.ts';
import { html, Markup } from '#domain/text/html.ts';
import { chooseLanguage, languageIn } from '#domain/text/language-choice.ts';
import { refusals } from '#texts/refusals.ts';
import { textsIn, type Texts } from '#locales/catalogue.ts';
import { fill } from '#locales/fill.ts';
import { directionOf, isLanguage, type Language, OFFERED } from '#locales/languages.ts';
import type { Context } from './context.ts';
import type { DrawnPage, DrawPage, Refusal } from './options.ts';
import type { SignOutForm } from './provider-patches.ts';

/** The part of a request context that a page needs. */
type PageContext = Pick<Context, 'status' | 'type' | 'body' | 'set' | 'req'>;

/** Returns the language of a page of the provider; `ui_locales` of the request counts as the link's (OpenID Connect 3.1.2.1). */
function languageOf({ headers, url = '' }: IncomingMessage): Language {
  const { chosen, link } = languageIn(headers.cookie);
  const asked = new URLSearchParams(url.split('?', 2)[1]).get('ui_locales');
  const accepted = [asked?.trim().replaceAll(/\s+/g, ','), headers['accept-language']];
  return chooseLanguage<Language>(
    { chosen, account: null, link, subtenant: null, accepted: accepted.filter(Boolean).join(',') },
    OFFERED,
    isLanguage,
  );
}

const textsOf = ({ req }: PageContext): Texts => textsIn(languageOf(req));

/**
 * Returns a policy that allows no script and loads only the style sheet and the images of this origin. oidc-provider
 * adds the hash of its own web_message and form_post script to `script-src`, which therefore must exist;
 * 'report-sample' allows no script.
 */
export function contentSecurityPolicy(formTargets: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'report-sample'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(formTargets.length > 0 ? [`form-action ${formTargets.join(' ')}`] : []),
  ].join('; ');
}

type Page = {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** Default: to the sign-in. */
  readonly link?: { readonly href: string; readonly text: string };
  /** Between the text and the link. */
  readonly form?: Markup;
};

/** Sends a page in the portal's look, or a plain one. */
export function showPage(ctx: PageContext, page: Page): void {
  const language = languageOf(ctx.req);
  const { lamp, providerPages } = textsIn(language);
  const { link = { href: pathOf('signIn'), text: providerPages.goToSignIn } } = page;
  ctx.status = page.status;
  ctx.type = 'html';
  ctx.set('content-language', language);
  ctx.set('vary', 'cookie, accept-language');
  ctx.body =
    html`<!doctype html><html lang="${language}"${directionOf(language) === 'rtl' ? html` dir="rtl"` : ''}>
    <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${page.title}</title><link rel="stylesheet" href="/plain.css"></head>
    <body><main><p class="help"><a href="/help">${lamp.button}</a></p>
    <h1>${page.title}</h1><p>${page.text}</p>
    ${page.form ?? ''}<p><a href="${link.href}">${link.text}</a></p></main></body></html>`.toString();
}

/** The page for errors that cannot be returned to the application. */
export async function showErrorPage(
  ctx: PageContext,
  status: number,
  renderPage: DrawPage,
  refusal?: Refusal,
): Promise<void> {
  const details = refusal ? { refusal } : {};
  const page = await renderPage('interactionOver', ctx.req, details).catch(() => null);
  if (page) {
    ctx.status = status;
    return sendDrawn(ctx, page);
  }
  const { providerPages: t } = textsOf(ctx);
  const title = status === 404 ? t.notFound : t.notSignedIn;
  const text = refusal ? fill(t.appMistake, { reference: refusal.reference }) : t.startAgain;
  showPage(ctx, { status, title, text });
}

/** Sends a page that the portal has rendered. */
export function sendDrawn(ctx: PageContext, page: DrawnPage): void {
  ctx.type = 'html';
  ctx.set('content-security-policy', page.contentSecurityPolicy);
  ctx.body = page.html;
}

/** Answers an unexpected error with the reference under which the log and the audit log have it. */
export function showFault(ctx: PageContext & Pick<Context, 'accepts'>, reference: string): void {
  if (ctx.accepts('json', 'html') === 'html') {
    const { plainPages } = textsOf(ctx);
    const text = fill(plainPages.brokenText, { reference });
    return showPage(ctx, { status: 500, title: plainPages.brokenTitle, text });
  }
  ctx.status = 500;
  ctx.body = {
    error: 'server_error',
    error_description: fill(refusals.unexpected, { reference }),
  };
}

/** Shows that the fault is not the person's, and that trying again helps. */
export function showAwayPage(ctx: PageContext): void {
  const { plainPages } = textsOf(ctx);
  showPage(ctx, { status: 503, title: plainPages.awayTitle, text: plainPages.awayText });
}

/** Shows that the return address of a sign-out is not registered. */
export function showLogoutTargetPage(ctx: PageContext): void {
  const { providerPages: t } = textsOf(ctx);
  showPage(ctx, { status: 400, title: t.signOutFailed, text: t.signOutLink });
}

/** Shows that the person has signed out. */
export function showSignedOutPage(ctx: PageContext): void {
  const { providerPages: t } = textsOf(ctx);
  showPage(ctx, { status: 200, title: t.signedOut, text: t.closePage });
}

const SUBMIT = 'document.forms[0].submit()';
const SUBMIT_HASH = createHash('sha256').update(SUBMIT).digest('base64');

/**
 * Returns the `form-action` sources: this origin and the target of the redirect, for an app's own scheme the scheme.
 */
function formTargetsOf(target: string | null): readonly string[] {
  if (target === null) return ["'self'"];
  const { origin, protocol } = new URL(target);
  return ["'self'", origin === 'null' ? protocol : origin];
}

/** Returns the form that oidc-provider expects back, with further `fields`. */
function signOutForm({ action, xsrf }: SignOutForm, fields: Markup): Markup {
  return html`<form method="post" action="${action}"><input type="hidden" name="xsrf" value="${xsrf}">${fields}</form>`;
}

/** Confirms the sign-out at once, for a client that has proven the session. The page submits itself. */
export function sendYes(ctx: PageContext, form: SignOutForm): void {
  const { providerPages } = textsOf(ctx);
  const policy = contentSecurityPolicy(formTargetsOf(form.target));
  ctx.set('content-security-policy', policy.replace("'report-sample'", `'sha256-${SUBMIT_HASH}'`));
  const yes = html`<input type="hidden" name="logout" value="yes"><button type="submit">${providerPages.signOut}</button>`;
  showPage(ctx, {
    status: 200,
    title: providerPages.signingOut,
    text: providerPages.moment,
    form: html`${signOutForm(form, yes)}<script>${new Markup(SUBMIT)}</script>`,
  });
}

/** Asks the person to confirm a sign-out that another site requested (ASVS 10.6.2). */
export function showConfirmLogoutPage(ctx: PageContext, form: SignOutForm): void {
  const { providerPages } = textsOf(ctx);
  ctx.set('content-security-policy', contentSecurityPolicy(formTargetsOf(form.target)));
  const yes = html`<p><button type="submit" name="logout" value="yes">${providerPages.askYes}</button></p>`;
  showPage(ctx, {
    status: 200,
    title: providerPages.askTitle,
    text: providerPages.askText,
    form: signOutForm(form, yes),
    link: { href: '/', text: providerPages.askNo },
  });
}
