import { addressHtml, maskedParts, phoneHtml, telOf } from '#domain/text/contact-text.ts';
import { splitAddresses } from '#domain/text/split-addresses.ts';
import { fillHtml, html, Markup } from '#domain/text/html.ts';
import type { Texts } from '#locales/catalogue.ts';
import { directionOf } from '#locales/languages.ts';
import { fill } from '#locales/fill.ts';
import { type AccentColours, accentTheme, type AccentTheme } from '#domain/looks/theme.ts';
import { porchColours } from '#domain/looks/porch-colours.ts';
import { PORCH } from './porch.ts';
import type { Sender } from './sender.ts';
import { mailFooter, codeGroups, hasHelp } from './mail-text.ts';
import { type Block, type MailContent, mailTexts } from './mail-blocks.ts';

/** The portal's own colours (`portal/styles/tokens.css`); mail programs support no variables. */
const LIGHT = {
  paper: '#F5F6F2',
  surface: '#FFFFFF',
  sunken: '#E9EDE8',
  ink: '#12262A',
  ink2: '#37494D',
  border: '#5A6C70',
};
const DARK = {
  paper: '#0D191C',
  surface: '#14252A',
  sunken: '#0A1417',
  ink: '#F3F1E8',
  ink2: '#C2CFCD',
  border: '#8FA5A8',
};
/** For a subtenant without a colour of its own. */
const OWN_ACCENT: AccentTheme = {
  light: own('#0B4A52', '#FFFFFF', '#DCECE9'),
  dark: own('#93D5CF', '#06282C', '#173A3E'),
};
const FONT = html`'Atkinson Hyperlegible Next','Segoe UI',-apple-system,BlinkMacSystemFont,Roboto,Helvetica,Arial,sans-serif`;

function own(solid: string, onSolid: string, tint: string): AccentColours {
  return { solid, hover: solid, pressed: solid, onSolid, link: solid, tint };
}

/** The smallest text, as on the screens. */
const SMALLEST = 'font-size:17px;line-height:1.5';
const WORDS = 'font-size:18px;line-height:1.5;overflow-wrap:anywhere';

/**
 * Returns the HTML half of a mail. Mail programs support tables, inline styles and little else: light colours are
 * inline, dark ones come by the media query (Apple, Thunderbird) and by Outlook's attribute, and elsewhere the light
 * ones stay. Only the logo is fetched; without it the name is still shown. The porch is attached to the mail.
 */
export function mailHtml(content: MailContent, sender: Sender): string {
  const theme = accentTheme(sender.accent) ?? OWN_ACCENT;
  const { light } = theme;
  const ground = porchColours(sender.accent);
  const dir = directionOf(sender.language) === 'rtl' ? html` dir="rtl"` : '';
  const size = content.code ? 24 : 32;
  return html`<!doctype html><html lang="${sender.language}"${dir}><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">
    <meta name="supported-color-schemes" content="light dark"><title>${content.subject}</title>
    <style>${styles(theme, ground.dark.panel)}</style></head>
    <body class="paper" style="margin:0;padding:0;background:${LIGHT.paper};font-family:${FONT};-webkit-text-size-adjust:100%">
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="paper"
    style="background:${LIGHT.paper}"><tr><td align="center" style="padding:24px 12px">
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px">
    <tr><td style="padding:0 12px 20px">${brand(sender)}</td></tr>
    <tr><td class="porch" align="center"
    style="padding:0;border-radius:20px 20px 0 0;background:${ground.light.panel};font-size:0;line-height:0">
    <img src="cid:${PORCH.cid}" alt="" width="${PORCH.width}" height="${PORCH.height}" style="display:block;border:0"></td></tr>
    <tr><td class="card" style="padding:28px 24px 16px;border-radius:0 0 20px 20px;background:${LIGHT.surface}">
    <h1 class="ink" style="margin:0 0 24px;color:${LIGHT.ink};font-size:${size}px;line-height:1.2;font-weight:700">
    ${content.code ? boxes(content.code) : ''}${content.headline}</h1>
    ${content.blocks.map((block) => drawn(block, light, sender))}</td></tr>
    <tr><td class="ink2" style="padding:20px 12px 0;color:${LIGHT.ink2};${SMALLEST}">
    ${hasHelp(content.blocks) ? '' : helpHtml(sender, light)}<p style="margin:0">${mailFooter(sender)}</p></td></tr>
    </table></td></tr></table></body></html>`.toString();
}

/**
 * Renders the code as on the page: six boxes, in two groups of three. No character stands between the digits, so that a
 * copy is the code.
 */
function boxes(code: string): Markup {
  const box = html`display:inline-block;width:36px;margin:0 4px 8px 0;padding:9px 0;border:2px solid ${LIGHT.border};
    border-radius:10px;background:${LIGHT.surface};color:${LIGHT.ink};font-size:30px;line-height:1.2;text-align:center;
    font-variant-numeric:tabular-nums`;
  const groups = codeGroups(code).map((digits) => {
    const each = [...digits].map(
      (digit) => html`<span class="digit" style="${box}">${digit}</span>`,
    );
    return html`<span style="display:inline-block;margin-right:12px;white-space:nowrap">${each}</span>`;
  });
  return html`<span style="display:block;margin:0 0 12px">${groups}</span> `;
}

function helpHtml(sender: Sender, light: AccentColours): Markup {
  const texts = mailTexts({ sender });
  const { mails } = texts;
  const { phone, email } = sender.help;
  const call = linkTo(telOf(phone), callHtml(phone, texts), light);
  const write = linkTo(`mailto:${email}`, addressIn(email, texts), light);
  return html`<p style="margin:0 0 12px;line-height:2.8">${mails.help} ${call}<br>${mails.orWrite} ${write}</p>`;
}

function linkTo(url: string, words: Markup, { link }: AccentColours): Markup {
  return html`<a class="link" href="${url}" style="color:${link};font-weight:700">${words}</a>`;
}

/** Returns a text as HTML, its addresses drawn as on the pages. */
function textHtml(text: string, texts: Texts): Markup {
  const parts = splitAddresses(text);
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : addressIn(part, texts)))}`;
}

const UNBROKEN = html` style="white-space:nowrap"`;

/** Returns the words of a link that calls; the number stays on one line. */
const callHtml = (phone: string, { mails }: Texts) =>
  fillHtml(mails.callUs, { phone: phoneHtml(phone, UNBROKEN) });

/** Returns an address for a mail, which has inline styles only; a mask is heard as words. */
function addressIn(email: string, { widgets }: Texts): Markup {
  const masked = maskedParts(email);
  const label = masked && html` role="img" aria-label="${fill(widgets.maskedEmail, masked)}"`;
  return addressHtml(email, html`${UNBROKEN}${label ?? ''}`);
}

/** A logo wider than this contains the name itself, as on the screens. */
const WIDE = 1.6;

/** Renders the logo, with the name as its alternative text, and the name in words if the logo does not contain it. */
function brand({ name, logo }: Sender): Markup {
  const words = `color:${LIGHT.ink};font-size:22px;line-height:26px;font-weight:700`;
  if (!logo) return html`<span class="ink" style="${words}">${name}</span>`;
  const { url, width, height } = logo;
  const isWide = width > WIDE * height;
  const picture = html`<img class="logo" src="${url}" alt="${isWide ? name : ''}" width="${width}" height="${height}"
    style="display:${isWide ? 'block' : 'inline-block'};vertical-align:middle;width:${width}px;height:${height}px;border:0;${words}">`;
  if (isWide) return picture;
  return html`${picture} <span class="ink" style="${words};padding-left:8px;vertical-align:middle">${name}</span>`;
}

function drawn(block: Block, light: AccentColours, sender: Sender): Markup {
  const texts = mailTexts({ sender });
  const { mails } = texts;
  const { help } = sender;
  switch (block.kind) {
    case 'text':
      return html`<p class="ink" style="margin:0 0 16px;color:${LIGHT.ink};${WORDS}">${textHtml(block.text, texts)}</p>`;
    case 'note':
      return html`<p class="note" style="margin:24px 0 16px;padding:14px 18px;border-left:6px solid ${light.solid};
        border-radius:8px;background:${LIGHT.sunken};color:${LIGHT.ink};${WORDS}">${textHtml(block.text, texts)}</p>`;
    case 'help':
      return html`<p style="margin:8px 0 12px"><a class="call" href="${telOf(help.phone)}" style="display:inline-block;
        padding:15px 26px;border:2px solid ${light.link};border-radius:12px;color:${light.link};
        font-size:22px;line-height:26px;font-weight:700;text-decoration:none">${callHtml(help.phone, texts)}</a></p>
        <p class="ink" style="margin:0 0 24px;color:${LIGHT.ink};${WORDS}">${mails.orWrite}
        ${linkTo(`mailto:${help.email}`, addressIn(help.email, texts), light)}</p>`;
    case 'boxes':
      return pageBoxes(texts, light);
    case 'picture':
      // The address in words as well: many programs draw no SVG, and some no picture.
      return html`<p style="margin:8px 0 12px"><img src="${block.url}" alt="" height="48" style="background:#fff"><br><a href="${block.url}">${block.url}</a></p>`;
    case 'button':
      // The address in words as well: some programs show no buttons, and some people trust only a readable address.
      return html`<p style="margin:8px 0 12px"><a class="button" href="${block.url}" style="display:inline-block;
        padding:17px 28px;border-radius:12px;background:${light.solid};color:${light.onSolid};
        font-size:20px;line-height:26px;font-weight:700;text-decoration:none">${block.label}</a></p>
        <p class="ink2" style="margin:0 0 24px;color:${LIGHT.ink2};${SMALLEST};word-break:break-all">${block.url}</p>`;
  }
}

/** Draws the boxes of the code page, empty, the first one marked: a picture of where to type, above its words. */
function pageBoxes({ mails }: Texts, { solid }: AccentColours): Markup {
  const box = (edge: string) =>
    html`<span class="slot" style="display:inline-block;width:30px;height:38px;margin:0 4px 0 0;border:${edge};border-radius:8px;
      background:${LIGHT.surface};vertical-align:bottom"></span>`;
  const [first, other] = [box(`4px solid ${solid}`), box(`2px solid ${LIGHT.border}`)];
  const group = (boxes: readonly Markup[]) =>
    html`<span style="display:inline-block;margin:0 12px 10px 0;white-space:nowrap">${boxes}</span>`;
  const groups = [group([first, other, other]), group([other, other, other])];
  return html`<div class="note" style="margin:24px 0 16px;padding:16px 18px 14px;border-left:6px solid ${solid};
    border-radius:8px;background:${LIGHT.sunken};color:${LIGHT.ink};${WORDS}">
    <div aria-hidden="true" style="font-size:0;line-height:0">${groups}</div>${mails.codePage}</div>`;
}

function styles({ dark }: AccentTheme, night: string): Markup {
  const rules = (scope: string) =>
    `${scope}.paper{background:${DARK.paper} !important}` +
    `${scope}.porch{background:${night} !important}` +
    `${scope}.card{background:${DARK.surface} !important}` +
    `${scope}.ink{color:${DARK.ink} !important}${scope}.ink2{color:${DARK.ink2} !important}` +
    `${scope}.digit{background:${DARK.paper} !important;color:${DARK.ink} !important;border-color:${DARK.border} !important}` +
    `${scope}.slot{background:${DARK.paper} !important;border-color:${DARK.border} !important}` +
    `${scope}.note{background:${DARK.sunken} !important;color:${DARK.ink} !important;border-left-color:${dark.solid} !important}` +
    `${scope}.button{background:${dark.solid} !important;color:${dark.onSolid} !important}` +
    `${scope}.link,${scope}.call{color:${dark.link} !important;border-color:${dark.link} !important}` +
    // Logos are made for a light background: in dark mode they get a light plate.
    `${scope}.logo{background:${LIGHT.paper} !important;border-radius:12px;padding:4px}`;
  return new Markup(
    `:root{color-scheme:light dark;supported-color-schemes:light dark}` +
      `@media (min-width:520px){.digit{width:52px !important;padding:13px 0 !important;font-size:38px !important}}` +
      `@media (prefers-color-scheme:dark){${rules('')}}${rules('[data-ogsc] ')}`,
  );
}
