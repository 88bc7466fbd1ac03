const BLOCKS = 'h1, h2, p, li, label, legend, summary, button, a, dt, dd';
/** Not words of the page, or not for the ears of a room. */
const SILENT = '[aria-hidden="true"], script, style, noscript, .visually-hidden, input';

/** The words of the main part as they are seen, a sentence each. What was typed is left out: others may hear it. */
export function readableText(page: Document): string {
  const main = page.querySelector('main');
  const words = [...(main?.querySelectorAll<HTMLElement>(BLOCKS) ?? [])]
    .filter((block) => !block.closest(SILENT) && !block.parentElement?.closest(BLOCKS))
    .filter((block) => block.getClientRects().length > 0)
    .map((block) => block.innerText.replace(/\s+/g, ' ').trim())
    .filter(Boolean);
  return words.map((each) => (/[.!?:]$/.test(each) ? each : `${each}.`)).join(' ');
}
