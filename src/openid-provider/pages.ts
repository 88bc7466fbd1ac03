/** The few pages of the provider itself: small, without JavaScript, each with a link that leads on. */

import { createHash } from 'node:crypto';
import { escapeHtml } from '#domain/text/html.ts';
import { refusals } from '#texts/refusals.ts';
import { textsIn, type Texts } from '#locales/catalogue.ts';
import { fill } from '#locales/fill.ts';
import { directionOf } from '#locales/languages.ts';
import { languageOf } from './page-language.ts';
import type { Context } from './context.ts';
import type { DrawPage, Refusal } from './options.ts';
import type { SignOutForm } from './provider-patches.ts';

/** The part of a request context that a page needs. */
type PageContext = Pick<Context, 'status' | 'type' | 'body' | 'set' | 'req'>;

const textsOf = ({ req }: PageContext): Texts => textsIn(languageOf(req));

const goToSignIn = ({ providerPages }: Texts) => ({
  href: '/account/signin',
  text: providerPages.goToSignIn,
});

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
  readonly link: { readonly href: string; readonly text: string };
  /** Trusted markup between the text and the link. */
  readonly form?: string;
};

/** Sends a page in the portal's look, or a plain one. */
export function showPage(ctx: PageContext, page: Page): void {
  const language = languageOf(ctx.req);
  const { lamp } = textsIn(language);
  ctx.status = page.status;
  ctx.type = 'html';
  ctx.set('content-language', language);
  ctx.set('vary', 'cookie, accept-language');
  ctx.body = `<!doctype html>
<html lang="${language}"${directionOf(language) === 'rtl' ? ' dir="rtl"' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>
<link rel="stylesheet" href="/plain.css">
</head>
<body>
<main>
<p class="help"><a href="/help">${lamp.button}</a></p>
<h1>${escapeHtml(page.title)}</h1>
<p>${escapeHtml(page.text)}</p>
${page.form ?? ''}<p><a href="${escapeHtml(page.link.href)}">${escapeHtml(page.link.text)}</a></p>
</main>
</body>
</html>
`;
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
    ctx.type = 'html';
    ctx.set('content-security-policy', page.contentSecurityPolicy);
    ctx.body = page.html;
    return;
  }
  const t = textsOf(ctx);
  const { providerPages } = t;
  showPage(ctx, {
    status,
    title: status === 404 ? providerPages.notFound : providerPages.notSignedIn,
    text: refusal
      ? fill(providerPages.appMistake, { reference: refusal.reference })
      : providerPages.startAgain,
    link: goToSignIn(t),
  });
}

/** Answers an unexpected error with the reference under which the log and the audit log have it. */
export function showFault(ctx: PageContext & Pick<Context, 'accepts'>, reference: string): void {
  if (ctx.accepts('json', 'html') === 'html') {
    const t = textsOf(ctx);
    const { plainPages } = t;
    const text = fill(plainPages.brokenText, { reference });
    return showPage(ctx, { status: 500, title: plainPages.brokenTitle, text, link: goToSignIn(t) });
  }
  ctx.status = 500;
  ctx.body = {
    error: 'server_error',
    error_description: fill(refusals.unexpected, { reference }),
  };
}

/** Shows that the fault is not the person's, and that trying again helps. */
export function showAwayPage(ctx: PageContext): void {
  const t = textsOf(ctx);
  const { plainPages } = t;
  showPage(ctx, {
    status: 503,
    title: plainPages.awayTitle,
    text: plainPages.awayText,
    link: goToSignIn(t),
  });
}

/** Shows that the return address of a sign-out is not registered. */
export function showLogoutTargetPage(ctx: PageContext): void {
  const t = textsOf(ctx);
  const { providerPages } = t;
  showPage(ctx, {
    status: 400,
    title: providerPages.signOutFailed,
    text: providerPages.signOutLink,
    link: goToSignIn(t),
  });
}

/** Shows that the person has signed out. */
export function showSignedOutPage(ctx: PageContext): void {
  const t = textsOf(ctx);
  const { providerPages } = t;
  showPage(ctx, {
    status: 200,
    title: providerPages.signedOut,
    text: providerPages.closePage,
    link: goToSignIn(t),
  });
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
function signOutForm({ action, xsrf }: SignOutForm, fields: string): string {
  return `<form method="post" action="${escapeHtml(action)}"><input type="hidden" name="xsrf" value="${escapeHtml(xsrf)}">${fields}</form>`;
}

/** Confirms the sign-out at once, for a client that has proven the session. The page submits itself. */
export function sendYes(ctx: PageContext, form: SignOutForm): void {
  const t = textsOf(ctx);
  const { providerPages } = t;
  const policy = contentSecurityPolicy(formTargetsOf(form.target));
  ctx.set('content-security-policy', policy.replace("'report-sample'", `'sha256-${SUBMIT_HASH}'`));
  const yes = `<input type="hidden" name="logout" value="yes"><button type="submit">${providerPages.signOut}</button>`;
  showPage(ctx, {
    status: 200,
    title: providerPages.signingOut,
    text: providerPages.moment,
    form: `${signOutForm(form, yes)}<script>${SUBMIT}</script>`,
    link: goToSignIn(t),
  });
}

/** Asks the person to confirm a sign-out that another site requested (ASVS 10.6.2). */
export function showConfirmLogoutPage(ctx: PageContext, form: SignOutForm): void {
  const { providerPages } = textsOf(ctx);
  ctx.set('content-security-policy', contentSecurityPolicy(formTargetsOf(form.target)));
  const yes = `<p><button type="submit" name="logout" value="yes">${providerPages.askYes}</button></p>`;
  showPage(ctx, {
    status: 200,
    title: providerPages.askTitle,
    text: providerPages.askText,
    form: `${signOutForm(form, yes)}\n`,
    link: { href: '/', text: providerPages.askNo },
  });
}
