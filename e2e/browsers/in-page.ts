// These run in the page: each is sent there as its source, so none may use anything but its arguments.

/** The first visible element of a selector; where a name is given, the one that is called so on the page. */
export type Target = { readonly css: string; readonly name?: string };

/** The name is what the label says, or else the first line of the words. */
export function find({ css, name }: Target): HTMLElement | undefined {
  const nameOf = (element: HTMLElement) =>
    element.getAttribute('aria-label') ?? element.innerText.trim().split('\n')[0]?.trim();
  return [...document.querySelectorAll<HTMLElement>(css)].find(
    (element) => element.checkVisibility() && (name === undefined || nameOf(element) === name),
  );
}

/** The middle of an element, brought to the middle of the window; `null` while something lies over it. */
export function middleOf(element: HTMLElement): { x: number; y: number } | null {
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const [box] = element.getClientRects();
  if (!box) return null;
  const point = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  const hit = document.elementFromPoint(point.x, point.y);
  return hit && element.contains(hit) ? point : null;
}

/** Whether nothing of an element lies outside the window or outside a list that scrolls around it. */
export function isWhollyInView(element: HTMLElement): boolean {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const frame = element.closest('[role=listbox]')?.getBoundingClientRect();
  const upper = Math.max(0, frame?.top ?? 0);
  const lower = Math.min(innerHeight, frame?.bottom ?? innerHeight);
  // Browsers place things at parts of a pixel.
  return left >= 0 && right <= innerWidth && top > upper - 1 && bottom < lower + 1;
}
