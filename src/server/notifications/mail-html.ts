import { escapeHtml } from '#domain/html.ts';
import { type AccentColours, type AccentTheme, accentTheme } from '#domain/theme.ts';
import type { Sender } from './sender.ts';
import { type Block, footerOf, type MailContent } from './templates.ts';

/** The portal's own colours (`portal/styles/tokens.css`); mail programs know no variables. */
const LIGHT = {
  paper: '#F5F6F2',
  surface: '#FFFFFF',
  sunken: '#E9EDE8',
  ink: '#12262A',
  ink2: '#37494D',
};
const DARK = {
  paper: '#0D191C',
  surface: '#14252A',
  sunken: '#0A1417',
  ink: '#F3F1E8',
  ink2: '#C2CFCD',
};
/** Where a subtenant has no colour of its own. */
const OWN_ACCENT: AccentTheme = {
  light: own('#0B4A52', '#FFFFFF', '#DCECE9'),
  dark: own('#93D5CF', '#06282C', '#173A3E'),
};
const FONT =
  "'Atkinson Hyperlegible Next','Segoe UI',-apple-system,BlinkMacSystemFont,Roboto,Helvetica,Arial,sans-serif";

function own(solid: string, onSolid: string, tint: string): AccentColours {
  return { solid, hover: solid, pressed: solid, onSolid, link: solid, tint };
}

/**
 * The HTML half of a mail. Mail programs know tables, inline styles and little else: light is inline, dark comes by the
 * media query (Apple, Thunderbird) and by Outlook's attribute, and where neither is known the light one stands.
 * Nothing is fetched but the logo; where it is not shown the name is still there.
 */
export function mailHtml(content: MailContent, sender: Sender): string {
  const theme = accentTheme(sender.accent) ?? OWN_ACCENT;
  const { light } = theme;
  const code = content.code
    ? `<span class="code" style="display:block;margin:0 0 16px;padding:16px 20px;border-radius:12px;background:${light.tint};color:${LIGHT.ink};font-size:48px;line-height:1.1;letter-spacing:6px;font-variant-numeric:tabular-nums">${grouped(content.code)}</span> `
    : '';
  const size = content.code ? 24 : 32;
  const body = content.blocks.map((block) => drawn(block, light)).join('');
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(content.subject)}</title>` +
    `<style>${styles(theme)}</style></head>` +
    `<body class="paper" style="margin:0;padding:0;background:${LIGHT.paper};font-family:${FONT};-webkit-text-size-adjust:100%">` +
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="paper" style="background:${LIGHT.paper}"><tr><td align="center" style="padding:24px 12px">` +
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px">` +
    `<tr><td style="padding:0 12px 20px">${brand(sender)}</td></tr>` +
    `<tr><td class="card" style="padding:32px 28px;border-radius:20px;border-top:8px solid ${light.solid};background:${LIGHT.surface}">` +
    `<h1 class="ink" style="margin:0 0 24px;color:${LIGHT.ink};font-size:${size}px;line-height:1.2;font-weight:700">${code}${escapeHtml(content.headline)}</h1>` +
    `${body}</td></tr>` +
    `<tr><td class="ink2" style="padding:20px 12px 0;color:${LIGHT.ink2};font-size:16px;line-height:1.5">${escapeHtml(footerOf(sender))}</td></tr>` +
    `</table></td></tr></table></body></html>`
  );
}

/** Two groups of three to read; what is copied are the six digits, for no character stands between them. */
function grouped(code: string): string {
  return `${code.slice(0, 3)}<span style="padding-left:18px">${code.slice(3)}</span>`;
}

/** A logo wider than this spells the name itself, as on the screens. */
const WIDE = 1.6;

/** The logo, which says the name where pictures are not shown, and the name in words where the logo does not spell it. */
function brand({ name, logo }: Sender): string {
  const words = `color:${LIGHT.ink};font-size:22px;line-height:26px;font-weight:700`;
  if (!logo) return `<span class="ink" style="${words}">${escapeHtml(name)}</span>`;
  const { url, width, height } = logo;
  const isWide = width > WIDE * height;
  const picture = `<img class="logo" src="${escapeHtml(url)}" alt="${escapeHtml(isWide ? name : '')}" width="${width}" height="${height}" style="display:${isWide ? 'block' : 'inline-block'};vertical-align:middle;width:${width}px;height:${height}px;border:0;${words}">`;
  if (isWide) return picture;
  return `${picture} <span class="ink" style="${words};padding-left:8px;vertical-align:middle">${escapeHtml(name)}</span>`;
}

function drawn(block: Block, light: AccentColours): string {
  const words = 'font-size:18px;line-height:1.5;overflow-wrap:anywhere';
  switch (block.kind) {
    case 'text':
      return `<p class="ink" style="margin:0 0 16px;color:${LIGHT.ink};${words}">${escapeHtml(block.text)}</p>`;
    case 'note':
      return `<p class="note" style="margin:24px 0 16px;padding:14px 18px;border-left:6px solid ${light.solid};border-radius:8px;background:${LIGHT.sunken};color:${LIGHT.ink};${words}">${escapeHtml(block.text)}</p>`;
    case 'button': {
      const url = escapeHtml(block.url);
      // The address in words as well: some programs show no buttons, and some people trust only what they can read.
      return (
        `<p style="margin:8px 0 12px"><a class="button" href="${url}" style="display:inline-block;padding:17px 28px;border-radius:12px;background:${light.solid};color:${light.onSolid};font-size:20px;line-height:26px;font-weight:700;text-decoration:none">${escapeHtml(block.label)}</a></p>` +
        `<p class="ink2" style="margin:0 0 16px;color:${LIGHT.ink2};font-size:15px;line-height:1.45;word-break:break-all">${url}</p>`
      );
    }
  }
}

function styles({ dark }: AccentTheme): string {
  const rules = (scope: string) =>
    `${scope}.paper{background:${DARK.paper} !important}` +
    `${scope}.card{background:${DARK.surface} !important;border-top-color:${dark.solid} !important}` +
    `${scope}.ink{color:${DARK.ink} !important}${scope}.ink2{color:${DARK.ink2} !important}` +
    `${scope}.code{background:${dark.tint} !important;color:${DARK.ink} !important}` +
    `${scope}.note{background:${DARK.sunken} !important;color:${DARK.ink} !important;border-left-color:${dark.solid} !important}` +
    `${scope}.button{background:${dark.solid} !important;color:${dark.onSolid} !important}` +
    // Logos are drawn for light ground: in the dark they stand on a plate of it.
    `${scope}.logo{background:${LIGHT.paper} !important;border-radius:12px;padding:4px}`;
  return (
    `:root{color-scheme:light dark;supported-color-schemes:light dark}` +
    `@media (prefers-color-scheme:dark){${rules('')}}${rules('[data-ogsc] ')}`
  );
}
