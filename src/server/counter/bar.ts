import { COUNTER_PATHS, type CounterTime } from '#domain/people/counter-mode.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { fillHtml, html, type Markup } from '#domain/text/html.ts';
import { textsIn } from '#locales/catalogue.ts';
import { fill } from '#locales/fill.ts';
import type { Language } from '#locales/languages.ts';

/** The bar of a page: what stands in its head, and what comes first in its body. */
export type CounterBar = { readonly head: Markup; readonly body: Markup };

/** Without script the page leaves a second after the server has cleared the device. */
const LATER_SECONDS = 1;

const LANTERN = html`<svg class="counter-lamp" viewBox="412 290 44 72" aria-hidden="true">
  <path class="counter-glass" d="M421 324h26l-4 28h-18z"/><path fill="#fff0cf" d="M429.5 330h9l-2 16h-5z"/>
  <path fill="currentColor" d="M432 302h4v16h-4zM424 296h20v6h-20zM418 317h32v7h-32zM424 352h20v6h-20z"/></svg>`;

/** A ring of 100 units: the script draws how much is left. */
const RING = html`<svg viewBox="0 0 48 48" aria-hidden="true"><circle class="counter-track" cx="24" cy="24" r="19"/>
  <circle class="counter-left" cx="24" cy="24" r="19" pathLength="100" stroke-dasharray="100 100"
  transform="rotate(-90 24 24)"/></svg>`;

/**
 * Writes the bar of a shared device. It has no part of the portal's bundles: an ordinary browser loads none of it.
 * @param nonce of the page's policy; `null` for a page that allows no script, whose clock would stand
 */
export function writeBar(time: CounterTime, language: Language, nonce: string | null): CounterBar {
  const { counterBar: t } = textsIn(language);
  const seconds = Math.ceil(time.remainingMs / 1000) + LATER_SECONDS;
  const refresh = html`<meta http-equiv="refresh" content="${seconds};url=${pathOf('counterNext')}">`;
  const script =
    nonce === null
      ? ''
      : html`<script nonce="${nonce}" src="${COUNTER_PATHS.script}" defer></script>`;
  const left = { time: html`<b data-time>${clockOf(time.remainingMs)}</b>` };
  const clock =
    nonce === null
      ? ''
      : html`<span class="counter-quiet counter-short" aria-hidden="true">${fillHtml(t.clearsShort, left)}</span>
        <span class="counter-asks counter-short" aria-hidden="true">${fillHtml(t.clears, left)}</span>`;
  const dial =
    nonce === null
      ? ''
      : html`<div class="counter-clock">${RING}<span class="counter-quiet">${fillHtml(t.clears, left)}</span>
        <b class="counter-asks" data-time></b></div>`;
  return {
    head: html`<link rel="stylesheet" href="${COUNTER_PATHS.style}">
      ${nonce === null ? refresh : html`<noscript>${refresh}</noscript>${script}`}`,
    body: html`<section id="counter" class="counter" aria-label="${t.label}" data-left="${time.remainingMs}"
      data-asks="${time.asksMs}" data-more="${String(time.canExtend)}" data-active="${COUNTER_PATHS.active}"
      data-next="${pathOf('counterNext')}" data-soon="${t.asks} ${t.asksText}" data-minutes="${fill(t.clears, { time: '2:00' })}">
      ${LANTERN}<div class="counter-words"><b class="counter-quiet">${t.title}</b><b class="counter-asks">${t.asks}</b>${clock}
      <span class="counter-quiet${nonce === null ? '' : ' counter-long'}">${t.text}</span>
      <span class="counter-asks counter-long">${t.asksText}</span></div>${dial}
      <div class="counter-ways"><button type="button" class="counter-asks counter-more">${t.more}</button>
      <form method="post" action="${COUNTER_PATHS.finished}"><button type="submit" class="counter-finished">${t.finished}</button></form></div>
      <p class="counter-said" role="alert"></p><p class="counter-said" role="status"></p></section>`,
  };
}

const clockOf = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/** Puts the bar into a finished page. */
export const addBar = (html: string, { head, body }: CounterBar): string =>
  html
    .replace('</head>', () => `${head.toString()}</head>`)
    .replace(/<body[^>]*>/, (tag) => `${tag}\n${body.toString()}`);

/** The style sheet of the bar, for pages with and without the portal's own. */
export const BAR_CSS = `
html { scroll-padding-top: 140px; }
.counter { position: sticky; top: 0; z-index: 6; display: grid; grid-template-columns: auto minmax(0, 1fr) auto; align-items: center; gap: 8px 12px;
  min-height: 72px; padding: 10px 20px; background: light-dark(#0b4a52, #062c32); color: #fff6ea; line-height: 1.3;
  transition: background-color var(--fade, 240ms), color var(--fade, 240ms); }
.counter ~ main, .counter + main { margin-top: 1.5rem; }
@media (min-width: 56.5rem) {
  .counter ~ #root header { padding-top: 12px; }
  .counter ~ #root #main { padding-top: 0; }
  .counter ~ #root div:has(> #main) { min-height: calc(100dvh - 80px); }
}
body:not(:has(#root)) > .counter { margin: 0 -1.25rem; }
.counter [hidden], .counter:not(.counter-soon) .counter-asks, .counter-soon .counter-quiet, .counter-clock { display: none; }
.counter-lamp { display: block; width: 30px; height: 46px; color: #d9e6df; }
.counter-soon .counter-lamp { color: #12262a; }
.counter-glass { fill: #ffc24d; }
.counter-soon .counter-glass { fill: #fff0cf; }
.counter-words > b, .counter-words > span { display: block; }
.counter-words > b { font-weight: 700; }
.counter-words > .counter-long { display: none; }
.counter [data-time] { font-variant-numeric: tabular-nums; }
.counter form { display: block; margin: 0; }
.counter button { min-height: 52px; padding: 0 18px; border: 2px solid transparent; border-radius: 12px; background: #ffc24d; color: #12262a;
  font: inherit; font-weight: 700; line-height: 1.1; cursor: pointer; }
.counter button:focus-visible { outline: 3px solid #12262a; outline-offset: 0; box-shadow: 0 0 0 7px #fff6ea; }
.counter.counter-soon { background: #ffc24d; color: #12262a; }
.counter-soon button { background: #12262a; color: #fff; }
.counter-soon .counter-more { border-color: #12262a; background: transparent; color: #12262a; font-weight: 650; }
.counter-said { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.counter-clock svg { width: 44px; height: 44px; }
.counter-clock circle { fill: none; stroke: #2f7f80; stroke-width: 7; }
.counter-clock .counter-left { stroke: #ffc24d; }
.counter-soon .counter-track { stroke: #d79b20; }
.counter-soon .counter-left { stroke: #12262a; }
.counter ~ #root [data-aside] { min-height: calc(100vh - 72px); min-height: calc(100dvh - 72px); }
.counter ~ #help-card { top: 82px; }
@media (max-width: 59.99rem) {
  .counter-soon { grid-template-columns: auto minmax(0, 1fr); }
  .counter-soon .counter-ways { display: grid; grid-column: 1 / -1; grid-template-columns: 1fr 1fr; gap: 10px; }
  .counter-soon .counter-ways:not(:has(.counter-more:not([hidden]))) { grid-template-columns: 1fr; }
  .counter-soon button { width: 100%; padding: 0 8px; }
}
@media (max-width: 22rem) { .counter { padding: 8px 12px; gap: 6px 8px; } .counter button { padding: 0 10px; } }
@media (min-width: 60rem) {
  .counter { grid-template-columns: auto minmax(0, 1fr) auto auto; gap: 20px; min-height: 80px; padding: 10px 56px; }
  .counter-words > b { font-size: 1.17rem; line-height: 1.25; }
  .counter:not(.counter-soon) .counter-quiet.counter-long, .counter-soon .counter-asks.counter-long { display: block; }
  .counter .counter-words > .counter-short { display: none; }
  .counter-clock { display: flex; align-items: center; gap: 14px; font-size: 1.06rem; }
  .counter-clock b { font-size: 1.39rem; }
  .counter-ways { display: flex; gap: 12px; }
  .counter button { min-height: 56px; padding: 0 32px; font-size: 1.17rem; }
  .counter-soon .counter-more { padding: 0 24px; font-size: 1.06rem; }
  .counter ~ #root [data-aside] { min-height: calc(100vh - 80px); min-height: calc(100dvh - 80px); }
  .counter ~ #help-card { top: 96px; }
  .counter ~ #root aside { top: 104px; height: calc(100vh - 128px); }
}
@media (scripting: none) {
  .counter-clock, .counter-words > .counter-short { display: none !important; }
  .counter .counter-quiet.counter-long { display: block; }
}
@media (prefers-reduced-motion: reduce) { .counter { transition: none; } }
@media (forced-colors: active) { .counter { border-bottom: 2px solid; } .counter button { border-color: ButtonText; } }
@media print { .counter { display: none; } }
`;
