import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ConsolePage, RenderedConsole } from '#contract/console.ts';
import { html as markup, Markup } from '#domain/text/html.ts';
import { language } from '#texts/language.ts';
import type { PortalBuild } from '../ssr/portal-build.ts';

/** The console's bundle for rendering on the server. */
export type ConsoleBuild = {
  readonly render: (page: ConsolePage) => RenderedConsole;
  /** The style sheet, beside the portal's rules that a page uses. */
  readonly styles: string;
};

/** Loads the built console; it stands beside the built portal. */
export async function loadConsoleBuild(directory: string): Promise<ConsoleBuild | null> {
  const file = join(directory, 'server/entry-console.js');
  if (!existsSync(file)) return null;
  const { render, styles } = (await import(pathToFileURL(file).href)) as ConsoleBuild;
  return { render, styles };
}

/** Returns the finished page: its styles inside, and its script if it follows along, the typeface from a sheet of its own. */
export function writeConsolePage(
  { portal, console }: { readonly portal: PortalBuild; readonly console: ConsoleBuild },
  { html, title, script }: RenderedConsole,
  {
    nonce,
    attributes,
    accent,
  }: {
    readonly nonce: string;
    readonly attributes: string;
    readonly accent: string | null;
  },
): string {
  const body = consoleBody(portal, html);
  const style = (css: string) => markup`<style nonce="${nonce}">${new Markup(css)}</style>`;
  return markup`<!doctype html>
    <html lang="${language}"${new Markup(attributes)}>
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex, nofollow">
    <title>${title}</title>
    <link rel="stylesheet" href="/font.css">
    ${style(portal.stylesFor(body))}${style(portal.themeCss(accent))}${style(console.styles)}
    <link rel="icon" type="image/svg+xml" href="/logos/porchlight.svg">
    </head>
    <body>
    ${new Markup(body)}${script === null ? '' : markup`<script nonce="${nonce}">${new Markup(script)}</script>`}
    </body>
    </html>`.toString();
}

/** Returns the inside of the page, by itself for a page that follows along: it has its styles already. */
export const consoleBody = (portal: PortalBuild, html: string): string =>
  `${portal.sprite(html)}\n${html}`;

/** Nothing from elsewhere, no frame around it, and no script but that of a page which follows along. */
export const consolePolicy = (
  nonce: string,
  { script, hasFrames }: Pick<RenderedConsole, 'script' | 'hasFrames'>,
): string =>
  [
    "default-src 'none'",
    ...(script === null ? [] : [`script-src 'nonce-${nonce}'`, "connect-src 'self'"]),
    ...(hasFrames ? ["frame-src 'self'"] : []),
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
