/**
 * Returns whether the page may still change a field by itself: it has not the focus, and the visitor never touched it.
 * `pre-hydration.ts` notes the touches, because most of them come before the scripts.
 */
export const isUntouched = (field: HTMLInputElement): boolean =>
  document.activeElement !== field && !window.porchlightTouched?.has(field);

/** Fills in a field that is empty and untouched: the one way in which the page puts in a value by itself. */
export function fillIn(field: HTMLInputElement | null | undefined, text: string | null): void {
  if (field && text && !field.value && isUntouched(field)) field.value = text;
}
