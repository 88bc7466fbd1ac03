import { randomBytes } from 'node:crypto';
import { pathOf } from '#domain/flow/screens.ts';
import { fillHtml, html, Markup } from '#domain/text/html.ts';
import { textsIn } from '#locales/catalogue.ts';
import { addressHtml, phoneHtml } from '#domain/text/contact-text.ts';
import { fill } from '#locales/fill.ts';
import { directionOf, type Language } from '#locales/languages.ts';
import type { Boot, RenderedScreen } from '#contract/boot.ts';
import type { PortalBuild } from './portal-build.ts';
import { ONCE_FIELD } from './answer-once.ts';

type DocumentOptions = {
  readonly language: Language;
  /** The token of its forms. */
  readonly xsrf: string;
  /** What the root has for the display choices of a browser without script. */
  readonly attributes: string;
  /** An answer to a form: no script. */
  readonly isPlain?: boolean;
};

/** Where no script brings the typeface, a style sheet of its own does: its requests do not tell the page's address. */
const FONT = html`<link rel="stylesheet" href="/font.css">`;

/**
 * The finished page: styles inlined, the state beside it; its scripts come when it wakes (decision 131). Nothing is asked
 * for before the first paint, which waits for header and heading (`rel=expect`): what arrives later moves nothing.
 */
export function writeDocument(
  build: PortalBuild,
  rendered: RenderedScreen,
  boot: Boot,
  nonce: string,
  { language, xsrf, attributes, isPlain = false }: DocumentOptions,
): string {
  const { waking } = rendered;
  const scripts = isPlain ? [] : build.scriptsOf(rendered.module).map((file) => `/${file}`);
  const card = build.helpCard(boot);
  const drawn = (part: string) => new Markup(isPlain ? withoutScript(part) : part);
  const body = html`${needsScript(boot) ? noScriptNote(boot, language, isPlain) : ''}
    ${new Markup(build.sprite(rendered.html + card))}
    <div id="root">${drawn(rendered.html)}</div>
    ${drawn(card)}
    ${nativeFields(rendered.forms, xsrf)}`.toString();
  const preHydration = build.preHydration(`/${build.entry}`, {
    scripts,
    icons: `/${build.icons}`,
    styleSheet: `/${build.styleSheet}`,
    font: `/${build.font}`,
    waking,
  });
  return html`<!doctype html>
    <html${languageAttributes(language)}${new Markup(attributes)}${isPlain ? ' data-broken' : ''}>
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="description" content="${boot.subtenant.name}">
    <meta property="csp-nonce" nonce="${nonce}">
    <link rel="expect" href="#${firstForm(rendered.html)}" blocking="render">
    <title>${rendered.title}</title>
    <script nonce="${nonce}">${new Markup(preHydration)}</script>
    ${isPlain ? FONT : html`<noscript>${FONT}</noscript>`}
    <style nonce="${nonce}">${new Markup(build.stylesFor(body))}</style>
    <style nonce="${nonce}" id="accent">${new Markup(build.themeCss(boot.subtenant.accent))}</style>
    <link rel="icon" type="image/svg+xml" href="/logos/porchlight.svg">
    </head>
    <body>
    ${new Markup(body)}
    <script type="application/json" id="boot">${jsonForHtml(boot)}</script>
    </body>
    </html>`.toString();
}

/** Returns the id of a screen's first form: above it, the page is complete. Without one, of the page's end. */
const firstForm = (html: string): string =>
  /<main[^]*?<form id="([\w-]+)"/.exec(html)?.[1] ?? 'boot';

/** Returns whether the screen needs JavaScript: a real tenant checks passwords only in the browser. */
export const needsScript = ({ screen, settings }: Pick<Boot, 'screen' | 'settings'>): boolean =>
  !settings.hostedLogin.endsWithApi && ['signIn', 'redirect'].includes(screen);

function noScriptNote({ settings: { help } }: Boot, language: Language, isPlain: boolean): Markup {
  const { plainPages } = textsIn(language);
  const contacts = html`${phoneHtml(help.phone)}, ${addressHtml(help.email)}`;
  const note = html`<p class="no-script" role="alert">${plainPages.noScript} ${contacts}</p>`;
  return isPlain ? note : html`<noscript>${note}</noscript>`;
}

/**
 * What forms and buttons send along where no script takes them over: which one it was, the proof that the page was
 * ours, and which page it was. Beside React's root, because a browser with script has no use for it.
 */
function nativeFields(forms: readonly string[], xsrf: string): Markup {
  const once = randomBytes(9).toString('base64url');
  const field = (form: string, name: string, value: string) =>
    html`<input type="hidden" form="${form}" name="${name}" value="${value}">`;
  const token = (form: string) => [field(form, 'xsrf', xsrf), field(form, ONCE_FIELD, once)];
  const named = forms.map((form) => [field(form, 'action', form), token(form)]);
  return html`<form id="action" method="post"></form>${token('action')}${named}`;
}

/** The page for a browser whose scripts do not run, or whose form was sent before they did. */
function withoutScript(html: string): string {
  return html
    .replaceAll(/<\/?noscript>/g, '')
    .replaceAll('class="script-only', 'hidden class="script-only');
}

/** On the way to another application: a form may not lead there itself, because of the page's policy. */
export function leavingPage(url: string, language: Language): string {
  const { plainPages } = textsIn(language);
  const refresh = html`<meta http-equiv="refresh" content="0;url=${url}">`;
  return plainPage(
    language,
    plainPages.leavingTitle,
    plainPages.leavingText,
    html`<p><a href="${url}">${plainPages.leavingGoOn}</a></p>`,
    refresh,
  );
}

/** The help contacts. */
export type Help = Boot['settings']['help'];

/** A page of last resort: the portal could not be drawn, but there is a way on (R54). */
export function brokenPage(reference: string, help: Help, language: Language): string {
  const { plainPages } = textsIn(language);
  const text = fill(plainPages.brokenText, { reference });
  return plainPage(language, plainPages.brokenTitle, text, callUs(help, language));
}

/**
 * Returns a page on which the same address again is the way on: after a form that came from another site or from an
 * expired page of ours, while the database is away, and while too many requests are under way.
 */
export function againPage(cause: 'refused' | 'away' | 'crowded', help: Help, language: Language) {
  const { plainPages: t, ui } = textsIn(language);
  const [title, text] = {
    refused: [t.refusedTitle, t.refusedText] as const,
    away: [t.awayTitle, t.awayText] as const,
    crowded: [t.crowdedTitle, t.crowdedText] as const,
  }[cause];
  const way = html`<p><a href="">${ui.tryAgain}</a></p>`;
  return plainPage(language, title, text, html`${way}${callUs(help, language)}`);
}

function callUs({ phone, email }: Help, language: Language): Markup {
  const { plainPages } = textsIn(language);
  const contacts = { phone: phoneHtml(phone), email: addressHtml(email) };
  return html`<p>${fillHtml(plainPages.callUs, contacts)}</p>`;
}

/** Returns what a page's root says of its language. */
const languageAttributes = (language: Language): Markup =>
  html` lang="${language}"${directionOf(language) === 'rtl' ? html` dir="rtl"` : ''}`;

function plainPage(
  language: Language,
  title: string,
  text: string,
  way: Markup,
  head: Markup | '' = '',
): string {
  const { lamp, pages, shell, ui } = textsIn(language);
  return html`<!doctype html><html${languageAttributes(language)}><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} – ${shell.productName}</title><link rel="stylesheet" href="/plain.css">${head}</head>
    <body><main><p class="help"><a href="/help">${lamp.button}</a></p><h1>${title}</h1><p>${text}</p>${way}
    <p><a href="${pathOf('signIn')}">${pages.signIn}</a></p>
    <p><a href="${pathOf('browser')}">${ui.checkBrowser}</a></p></main></body></html>`.toString();
}

/** JSON that cannot close its own script element. */
function jsonForHtml(value: unknown): Markup {
  return new Markup(JSON.stringify(value).replaceAll('<', '\\u003c'));
}
