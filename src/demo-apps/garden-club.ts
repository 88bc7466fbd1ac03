import { addressHtml } from '#domain/text/contact-text.ts';
import { fillHtml, html, type Markup } from '#domain/text/html.ts';
import { type Texts, textsIn } from '#locales/catalogue.ts';
import { directionOf, type Language } from '#locales/languages.ts';
import { forDevelopers } from './pages.ts';

/** The pages of the demo's third party: an app of another organisation, with its own mark, colours and words. */

const MARK = html`<svg class="mark" viewBox="0 0 48 48" aria-hidden="true">
  <path fill="#2b5a24" d="M4 48V24a20 20 0 0 1 40 0v24z"/>
  <path fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"
  d="M15 36c1-9 5-14 13-17M18 31c10 4 18-3 17-17-13-1-20 6-18 16"/></svg>`;

const GARDEN = html`<svg class="garden" viewBox="0 0 560 380" aria-hidden="true">
  <path fill="#f6d9a8" d="M0 0h560v380H0z"/><circle cx="430" cy="104" r="52" fill="#f2a541"/>
  <path fill="#b9cf9c" d="M0 214c92-62 178-58 262-14 96 50 190 36 298-26v206H0z"/>
  <path fill="#7fa565" d="M0 268c120-54 220-30 318 2 92 30 166 18 242-14v124H0z"/>
  <g fill="none" stroke="#2b5a24" stroke-width="7" stroke-linecap="round"><path d="M132 306v-86M214 306V190M300 306v-72M384 306V202"/></g>
  <g fill="#3f7d33"><path d="M132 262c-34-2-48-20-46-44 28 0 46 14 46 44zM132 240c30-4 42-20 40-42-26 2-42 16-40 42z
  M214 256c-36-2-50-22-48-46 30 0 48 16 48 46zM214 232c32-4 44-22 42-46-28 2-44 18-42 46z
  M300 274c-28-2-40-18-38-38 24 0 38 12 38 38zM300 262c26-4 36-18 34-38-22 2-36 14-34 38z
  M384 262c-34-2-46-20-44-42 28 0 44 14 44 42zM384 246c32-4 42-20 40-42-26 2-42 16-40 42z"/></g>
  <g fill="#c8452f"><circle cx="214" cy="182" r="21"/><circle cx="384" cy="194" r="19"/></g>
  <g fill="#f2c94c"><circle cx="132" cy="212" r="18"/><circle cx="300" cy="226" r="15"/></g>
  <g fill="#fdf3df"><circle cx="214" cy="182" r="8"/><circle cx="384" cy="194" r="7"/><circle cx="132" cy="212" r="7"/>
  <circle cx="300" cy="226" r="6"/></g><path fill="#8a5a33" d="M76 300h372v56H76z"/>
  <path fill="#6d4526" d="M76 300h372v14H76zM92 356h18v24H92zM414 356h18v24h-18z"/></svg>`;

/** Shown before anybody signed in; `refusal` is the answer of a sign-in that did not happen. */
export function frontPage(refusal: string | null, language: Language): string {
  const { gardenClub: t } = textsIn(language);
  const told = refusal
    ? html`<p class="note">${t.refused}</p>${forDevelopers(t.developers, factList([['Porchlight said', refusal]]))}`
    : '';
  return page(
    language,
    html`<div class="hero"><div><h1>Garden Club</h1><p class="lead">${t.lead}</p>${told}
    <p><a class="button" href="/demo/relying-party/start">${t.signIn}</a></p>
    <p class="small">${t.asks}</p></div>${GARDEN}</div>${news(t.thisWeek, t.news)}`,
  );
}

/** Shows a signed-in person the claims that the club received. */
export function memberPage(person: Readonly<Record<string, unknown>>, language: Language): string {
  const { gardenClub: t } = textsIn(language);
  const welcome = fillHtml(t.welcome, { name: String(person.name) });
  const letter = fillHtml(t.letter, { email: html`<b>${addressHtml(String(person.email))}</b>` });
  const details = factList([
    ['Account', person.sub],
    ['Signed in with', (person.amr as readonly string[]).join(' and ')],
    ['Token', 'redeemed server to server, with PKCE'],
  ]);
  return page(
    language,
    html`<div class="hero"><div><h1>${welcome}</h1><p class="lead">${t.bed}</p><p>${letter}</p>
    <form action="/demo/relying-party/sign-out"><button>${t.signOut}</button></form></div>${GARDEN}</div>
    ${news(t.thisWeek, t.news)}${forDevelopers(t.developers, details)}`,
  );
}

function news(title: string, cards: Texts['gardenClub']['news']): Markup {
  const list = cards.map(
    ([when, what, text]) =>
      html`<li><p class="small">${when}</p><h3>${what}</h3><p>${text}</p></li>`,
  );
  return html`<h2>${title}</h2><ul class="news">${list}</ul>`;
}

function factList(rows: readonly (readonly [string, unknown])[]): Markup {
  return html`<dl>${rows.map(([term, fact]) => html`<dt>${term}</dt><dd>${String(fact)}</dd>`)}</dl>`;
}

function page(language: Language, body: Markup): string {
  return html`<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width,initial-scale=1"><title>Garden Club</title>
    <link rel="stylesheet" href="/demo/garden-club.css"></head>
    <body><header><a href="/demo/relying-party">${MARK}Garden Club</a></header><main>${body}</main></body></html>`.toString();
}

export const GARDEN_CLUB_CSS = `
:root { color-scheme: light dark; --paper: light-dark(#fbf6ea, #161d12); --card: light-dark(#fff, #1f2919); --ink: light-dark(#23301c, #f4efdf);
  --ink-2: light-dark(#45523d, #cbd3bd); --line: light-dark(#d9d3bd, #3d4a34); --leaf: light-dark(#2b5a24, #b5d99a); --on-leaf: light-dark(#fff, #14200e); }
* { box-sizing: border-box; }
html { font-size: 112.5%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 400 1rem/1.55 Georgia, 'Iowan Old Style', 'Times New Roman', serif;
  overflow-wrap: break-word; }
header, main { max-width: 62rem; margin: 0 auto; padding: 1rem 1.25rem; }
header a { display: inline-flex; align-items: center; gap: 12px; min-height: 48px; color: var(--ink); font-size: 1.2rem; font-weight: 700;
  text-decoration: none; }
.mark { width: 44px; height: 44px; }
.hero { display: grid; gap: 2rem; align-items: center; margin-bottom: 2.5rem; }
.garden { display: block; width: 100%; height: auto; border-radius: 200px 200px 24px 24px; }
h1 { margin: 0 0 1rem; font-size: clamp(2.1rem, 1.5rem + 2.6vw, 3.4rem); line-height: 1.1; letter-spacing: -0.015em; text-wrap: balance; }
h2 { margin: 0 0 1rem; font-size: 1.5rem; }
h3 { margin: 0 0 0.5rem; font-size: 1.2rem; line-height: 1.3; }
p { margin: 0 0 1rem; }
.lead { font-size: 1.25rem; line-height: 1.45; }
.small, dt { color: var(--ink-2); font-size: 0.95rem; }
.note { padding: 0.9rem 1.1rem; border-left: 6px solid var(--leaf); border-radius: 8px; background: var(--card); }
.button, button { display: inline-flex; align-items: center; min-height: 60px; padding: 0 1.75rem; border: 2px solid transparent;
  border-radius: 30px; background: var(--leaf); color: var(--on-leaf); font: 700 1.15rem/1.3 Georgia, serif; text-decoration: none; cursor: pointer; }
button { border-color: var(--leaf); background: none; color: var(--leaf); }
.news { display: grid; gap: 1rem; margin: 0 0 2rem; padding: 0; list-style: none; }
.news li { padding: 1.25rem; border: 1px solid var(--line); border-top: 5px solid var(--leaf); border-radius: 4px; background: var(--card); }
.news p { margin: 0; }
.news .small { margin-bottom: 0.25rem; }
details { margin: 0 0 1.5rem; }
summary { display: flow-root list-item; min-height: 48px; padding: 0.6rem 0; color: var(--leaf); cursor: pointer; }
dl { margin: 0; }
dd { margin: 0 0 0.75rem; font-weight: 700; overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px; }
@media (min-width: 48rem) { .hero { grid-template-columns: 1fr 1fr; } .news { grid-template-columns: repeat(3, 1fr); } }
@media (forced-colors: active) { .button, button { border-color: ButtonText; } }
`;
