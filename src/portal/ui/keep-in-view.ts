const MARGIN_PX = 8;
const LEAST_PX = 60;

/**
 * Keeps an open panel inside the visible window, also above a phone's keyboard: the page scrolls, and if that is not
 * enough `list` gets shorter. The highlighted row stays in view.
 * @returns the function that stops it
 */
export function keepInView(panel: HTMLElement, list: HTMLElement): () => void {
  const seen = globalThis.visualViewport;
  const fit = () => {
    const top = seen?.offsetTop ?? 0;
    const height = seen?.height ?? innerHeight;
    list.style.removeProperty('max-height');
    const others = panel.offsetHeight - list.offsetHeight;
    const room = height - others - 2 * MARGIN_PX;
    if (room < list.offsetHeight) list.style.maxHeight = `${Math.max(LEAST_PX, room)}px`;
    const box = panel.getBoundingClientRect();
    const hidden = box.bottom + MARGIN_PX - (top + height);
    const above = box.top - MARGIN_PX - top;
    // Never so far that the panel's own top leaves the window.
    if (hidden > 0 && above > 0) scrollBy(0, Math.min(hidden, above));
    const current = panel.querySelector('[aria-activedescendant]');
    const row = document.getElementById(current?.getAttribute('aria-activedescendant') ?? '');
    row?.scrollIntoView({ block: 'nearest' });
  };
  fit();
  seen?.addEventListener('resize', fit);
  return () => seen?.removeEventListener('resize', fit);
}
