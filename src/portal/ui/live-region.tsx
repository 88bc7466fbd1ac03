/** Milliseconds that an announcement stays, so that a reader who goes on to the end of the page meets no old text. */
const SAID_MS = 3000;

type Politeness = 'polite' | 'assertive';

const waiting: Record<Politeness, string[]> = { polite: [], assertive: [] };

/**
 * Renders the page's two live regions. They are empty from the start: a region mounted with its text is not announced.
 */
export function LiveRegions() {
  return (
    <>
      <div id="live-polite" className="visually-hidden" role="status" aria-atomic="true" />
      <div id="live-assertive" className="visually-hidden" role="alert" aria-atomic="true" />
    </>
  );
}

/** Announces `text` to screen readers. Announcements within a moment are joined. */
export function announce(text: string, politeness: Politeness = 'polite'): void {
  if (waiting[politeness].push(text) > 1) return;
  setTimeout(() => {
    const said = waiting[politeness].splice(0).join(' ');
    // The server has no live region.
    const region = globalThis.document?.getElementById(`live-${politeness}`);
    if (!region) return;
    // The same text again would not be announced.
    region.textContent = region.textContent === said ? `${said}\u00a0` : said;
    setTimeout(() => {
      if (region.textContent?.trim() === said) region.textContent = '';
    }, SAID_MS);
  }, 100);
}
