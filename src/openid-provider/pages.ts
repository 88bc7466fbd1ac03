/** The few pages of the provider itself: small, without JavaScript, each with a link that leads on. */

import { createHash } from 'node:crypto';
import { escapeHtml } from '#domain/html.ts';
import { lamp } from '#texts/lamp.ts';
import { language } from '#texts/language.ts';
import { plainPages } from '#texts/plain-pages.ts';
import { refusals } from '#texts/refusals.ts';
import { fill } from '#locales/fill.ts';
import type { Context } from './context.ts';
import type { DrawPage, Refusal } from './options.ts';
import type { SignOutForm } from './provider-patches.ts';

/** The part of a request context that a page needs. */
type PageContext = Pick<Context, 'status' | 'type' | 'body' | 'set' | 'req'>;

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
  ctx.status = page.status;
  ctx.type = 'html';
  ctx.body = `<!doctype html>
<html lang="${language}">
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

const GO_TO_SIGN_IN = { href: '/account/signin', text: 'Go to Sign In' };

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
  showPage(ctx, {
    status,
    title: status === 404 ? 'We could not find that page' : 'We could not sign you in',
    text: refusal
      ? `The app that sent you here made a mistake. Reference: ${refusal.reference}`
      : 'Nothing is lost. Please start again from the sign-in page.',
    link: GO_TO_SIGN_IN,
  });
}

/** Answers an unexpected error with the reference under which the log and the audit log have it. */
export function showFault(ctx: PageContext & Pick<Context, 'accepts'>, reference: string): void {
  if (ctx.accepts('json', 'html') === 'html') {
    const text = fill(plainPages.brokenText, { reference });
    return showPage(ctx, { status: 500, title: plainPages.brokenTitle, text, link: GO_TO_SIGN_IN });
  }
  ctx.status = 500;
  ctx.body = {
    error: 'server_error',
    error_description: fill(refusals.unexpected, { reference }),
  };
}

/** Shows that the fault is not the person's, and that trying again helps. */
export function showAwayPage(ctx: PageContext): void {
  showPage(ctx, {
    status: 503,
    title: plainPages.awayTitle,
    text: plainPages.awayText,
    link: GO_TO_SIGN_IN,
  });
}

/** Shows that the return address of a sign-out is not registered. */
export function showLogoutTargetPage(ctx: PageContext): void {
  showPage(ctx, {
    status: 400,
    title: 'We could not finish signing you out',
    text: 'The link that brought you here has a mistake in it. You can go to the sign-in page.',
    link: GO_TO_SIGN_IN,
  });
}

/** Shows that the person has signed out. */
export function showSignedOutPage(ctx: PageContext): void {
  showPage(ctx, {
    status: 200,
    title: 'You are signed out',
    text: 'You can close this page.',
    link: GO_TO_SIGN_IN,
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
  const policy = contentSecurityPolicy(formTargetsOf(form.target));
  ctx.set('content-security-policy', policy.replace("'report-sample'", `'sha256-${SUBMIT_HASH}'`));
  const yes =
    '<input type="hidden" name="logout" value="yes"><button type="submit">Sign out</button>';
  showPage(ctx, {
    status: 200,
    title: 'Signing you out',
    text: 'One moment, please.',
    form: `${signOutForm(form, yes)}<script>${SUBMIT}</script>`,
    link: GO_TO_SIGN_IN,
  });
}

/** Asks the person to confirm a sign-out that another site requested (ASVS 10.6.2). */
export function showConfirmLogoutPage(ctx: PageContext, form: SignOutForm): void {
  ctx.set('content-security-policy', contentSecurityPolicy(formTargetsOf(form.target)));
  const yes = '<p><button type="submit" name="logout" value="yes">Yes, sign me out</button></p>';
  showPage(ctx, {
    status: 200,
    title: 'Do you want to sign out?',
    text: 'Another page asked to sign you out.',
    form: `${signOutForm(form, yes)}\n`,
    link: { href: '/', text: 'No, keep me signed in' },
  });
}
