const BLOCKS = 'h1, h2, p, li, label, legend, summary, button, a, dt, dd';
/** Elements without page text, in another language, or with text that must not be read aloud. */
const SILENT =
  'main [lang], [aria-hidden="true"], script, style, noscript, .visually-hidden, input';

/** Returns the visible text of the main part, a sentence each. Input is left out, because others may hear it. */
export function readableText(page: Document): string {
  const main = page.querySelector('main');
  const words = [...(main?.querySelectorAll<HTMLElement>(BLOCKS) ?? [])]
    .filter((block) => !block.closest(SILENT) && !block.parentElement?.closest(BLOCKS))
    .filter((block) => block.getClientRects().length > 0)
    .map((block) => block.innerText.replace(/\s+/g, ' ').trim())
    .filter(Boolean);
  return words.map((each) => (/[.!?:]$/.test(each) ? each : `${each}.`)).join(' ');
}
