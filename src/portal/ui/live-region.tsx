type Politeness = 'polite' | 'assertive';

const waiting: Record<Politeness, string[]> = { polite: [], assertive: [] };

/** The two regions that speak for the page. They stand empty from the start: a region mounted with its text stays silent. */
export function LiveRegions() {
  return (
    <>
      <div id="live-polite" className="visually-hidden" role="status" aria-atomic="true" />
      <div id="live-assertive" className="visually-hidden" role="alert" aria-atomic="true" />
    </>
  );
}

/** Says `text` once to people who listen to the page. What is said within a moment is said together. */
export function announce(text: string, politeness: Politeness = 'polite'): void {
  if (waiting[politeness].push(text) > 1) return;
  setTimeout(() => {
    const said = waiting[politeness].splice(0).join(' ');
    const region = document.getElementById(`live-${politeness}`);
    if (!region) return;
    // The same words twice are no change, and no change is silent.
    region.textContent = region.textContent === said ? `${said}\u00a0` : said;
    setTimeout(() => {
      if (region.textContent?.trim() === said) region.textContent = '';
    }, 8000);
  }, 100);
}
