import { escapeHtml } from '#domain/html.ts';
import { browser as browserTexts } from '#locales/en/browser.ts';
import { shell } from '#locales/en/shell.ts';
import { pages } from '#locales/en/pages.ts';
import type { Boot, RenderedScreen } from '#contract/boot.ts';
import type { PortalBuild } from './portal-build.ts';

/**
 * The finished page: styles inlined, modules preloaded, the state beside it. It is small enough to be painted whole
 * (`rel=expect`): half a page that moves when the rest arrives is worse than a few milliseconds more.
 */
export function writeDocument(
  build: PortalBuild,
  rendered: RenderedScreen,
  boot: Boot,
  nonce: string,
  { xsrf, isPlain = false }: { readonly xsrf: string; readonly isPlain?: boolean },
): string {
  const preloads = isPlain
    ? ''
    : build
        .scriptsOf(rendered.module)
        .map((file) => `<link rel="modulepreload" nonce="${nonce}" href="/${file}">`)
        .join('');
  const scripts = `${preloads}
<script type="module" nonce="${nonce}" src="/${build.entry}"></script>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(boot.subtenant.name)}">
<meta property="csp-nonce" nonce="${nonce}">
<link rel="expect" href="#boot" blocking="render">
<title>${escapeHtml(rendered.title)}</title>
<script nonce="${nonce}">${build.preHydrationSource}</script>
<style nonce="${nonce}">${build.css}</style><style nonce="${nonce}" id="accent">${build.themeCss(boot.subtenant.accent)}</style>
<link rel="preload" as="font" type="font/woff2" href="${build.fontUrl}" crossorigin>
<link rel="icon" type="image/svg+xml" href="/logos/porchlight.svg">
${isPlain ? '' : scripts}
</head>
<body>
${boot.settings.hostedLogin.endsWithApi ? '' : noScriptNote(boot)}
${build.sprite}
<div id="root">${isPlain ? withoutScript(rendered.html) : rendered.html}</div>
${nativeFields(rendered.forms, xsrf)}
<script type="application/json" id="boot">${jsonForHtml(boot)}</script>
</body>
</html>`;
}

/** A tenant of one's own checks passwords in the browser alone. */
function noScriptNote({ settings: { help } }: Boot): string {
  return `<noscript><p class="no-script" role="alert">${escapeHtml(pages.noScript)} ${escapeHtml(help.phone)}, ${escapeHtml(help.email)}</p></noscript>`;
}

/**
 * What forms and buttons send along where no script takes them over: which one it was, and the proof that the page was
 * ours. Beside React's root, because a browser with script has no use for it.
 */
function nativeFields(forms: readonly string[], xsrf: string): string {
  const token = (form: string) =>
    `<input type="hidden" form="${form}" name="xsrf" value="${escapeHtml(xsrf)}">`;
  const named = forms.map(
    (form) => `<input type="hidden" form="${form}" name="action" value="${form}">${token(form)}`,
  );
  return `<form id="action" method="post"></form>${token('action')}${named.join('')}`;
}

/** The page for a browser whose scripts do not run, or whose form was sent before they did. */
function withoutScript(html: string): string {
  return html
    .replaceAll(/<\/?noscript>/g, '')
    .replaceAll('class="script-only', 'hidden class="script-only');
}

/** On the way to another application: a form may not lead there itself, because of the page's policy. */
export function leavingPage(url: string): string {
  const refresh = `<meta http-equiv="refresh" content="0;url=${escapeHtml(url)}">`;
  return plainPage(
    pages.leavingTitle,
    pages.leavingText,
    `<p><a href="${escapeHtml(url)}">${pages.leavingGoOn}</a></p>`,
    refresh,
  );
}

/** A page of last resort: the portal could not be drawn, but there is a way on (R54). */
export function brokenPage(reference: string): string {
  return plainPage(pages.brokenTitle, pages.brokenText.replace('{reference}', reference));
}

/** A form that did not come from a page of ours, or from one that is too old. The page itself is the way on. */
export function refusedPage(): string {
  return plainPage(
    pages.refusedTitle,
    pages.refusedText,
    `<p><a href="">${pages.tryAgain}</a></p>`,
  );
}

/** While the database is away: the same address again is the way on. */
export function awayPage(): string {
  return plainPage(pages.awayTitle, pages.awayText, `<p><a href="">${pages.tryAgain}</a></p>`);
}

function plainPage(title: string, text: string, way = '', head = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} – ${shell.productName}</title><link rel="stylesheet" href="/plain.css">${head}</head><body><main><h1>${title}</h1><p>${escapeHtml(text)}</p>${way}<p><a href="/account/signin">${pages.signIn}</a></p><p><a href="/account/browser">${browserTexts.link}</a></p></main></body></html>`;
}

/** JSON that cannot close its own script element. */
function jsonForHtml(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
