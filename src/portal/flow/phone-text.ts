import { fill } from '#locales/fill.ts';
import { widgets } from '#texts/widgets.ts';

/** Returns a masked number in words: a screen reader would read the dots one by one. */
export function phoneText(masked: string): string {
  return fill(widgets.phoneEnding, { digits: masked.slice(-2) });
}
