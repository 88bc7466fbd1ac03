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
): string {
  const preloads = build
    .scriptsOf(rendered.module)
    .map((file) => `<link rel="modulepreload" nonce="${nonce}" href="/${file}">`)
    .join('');
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
${preloads}
<script type="module" nonce="${nonce}" src="/${build.entry}"></script>
</head>
<body>
<noscript><p class="no-script" role="alert">${escapeHtml(pages.noScript)} ${escapeHtml(boot.settings.help.phone)}, ${escapeHtml(boot.settings.help.email)}</p></noscript>
${build.sprite}
<div id="root">${rendered.html}</div>
<script type="application/json" id="boot">${jsonForHtml(boot)}</script>
</body>
</html>`;
}

/** A page of last resort: the portal could not be drawn, but there is a way on (R54). */
export function brokenPage(reference: string): string {
  return plainPage(pages.brokenTitle, pages.brokenText.replace('{reference}', reference));
}

/** While the database is away: the same address again is the way on. */
export function awayPage(): string {
  return plainPage(pages.awayTitle, pages.awayText, `<p><a href="">${pages.tryAgain}</a></p>`);
}

function plainPage(title: string, text: string, way = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} – ${shell.productName}</title><link rel="stylesheet" href="/plain.css"></head><body><main><h1>${title}</h1><p>${escapeHtml(text)}</p>${way}<p><a href="/account/signin">${pages.signIn}</a></p><p><a href="/account/browser">${browserTexts.link}</a></p></main></body></html>`;
}

/** JSON that cannot close its own script element. */
function jsonForHtml(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
