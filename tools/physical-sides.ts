// Style sheets name sides by `start` and `end`: a language from right to left then needs no second sheet (decision 166).
import postcss, { type Declaration, type Rule } from 'postcss';
import { isMirror } from './list-styles.ts';

const SIDE = /(?:^|-)(?:left|right)(?:-|$)/;
/** Properties whose values can name a side. */
const BY_VALUE = /^(?:float|clear|text-align.*|(?:object|background)-position.*|transform-origin)$/;
/** Shorthands of four sides: top, right, bottom, left. */
const FOUR_SIDES = /^(?:(?:scroll-)?(?:margin|padding)|inset|border-(?:width|style|color))$/;

/** Returns each declaration of a style sheet that tells left from right, but for the rules of scripts that are mirrored. */
export function findPhysicalSides(css: string): string[] {
  const found: string[] = [];
  postcss.parse(css).walkDecls((declaration) => {
    const { parent } = declaration;
    const isMirrored = parent?.type === 'rule' && isMirror(parent as Rule);
    if (!isMirrored && isPhysical(declaration))
      found.push(`${declaration.prop}: ${declaration.value}`);
  });
  return found;
}

function isPhysical({ prop, value }: Declaration): boolean {
  if (prop.startsWith('--')) return false;
  if (SIDE.test(prop)) return true;
  if (BY_VALUE.test(prop)) return /\b(?:left|right)\b/.test(value);
  if (FOUR_SIDES.test(prop)) {
    const [, right, , left = right] = postcss.list.space(value);
    return left !== right;
  }
  return prop === 'border-radius' && value.split('/').some(differsBySide);
}

/** Corners stand in the order top left, top right, bottom right, bottom left. */
function differsBySide(radii: string): boolean {
  const [topLeft, topRight = topLeft, bottomRight = topLeft, bottomLeft = topRight] =
    postcss.list.space(radii.trim());
  return topLeft !== topRight || bottomRight !== bottomLeft;
}
