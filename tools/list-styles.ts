// For the server: the portal's style sheet, rule by rule, with the classes that each asks for (decision 135).
import postcss, { type AtRule, type ChildNode, type Root, type Rule } from 'postcss';
import type { StyleRule } from '../src/server/ssr/page-styles.ts';

/** At-rules that hold rules which count by themselves. Others, such as `@font-face` and `@keyframes`, are taken whole. */
const GROUPS = ['media', 'supports', 'container', 'layer'];

/** Only a page from right to left has these rules. */
export const isMirror = ({ selector }: Rule): boolean => /\[dir=['"]?rtl/.test(selector);

/** Lists a sheet without the rules of mirrored pages. */
export function listStyles(css: string): StyleRule[] {
  return sheetOf(css, (rule) => !isMirror(rule)).nodes.map(ruleOf);
}

/** Returns the rules of mirrored pages alone. */
export const mirrorStyles = (css: string): string => sheetOf(css, isMirror, true).toString();

/** Returns a sheet with the rules that are kept, and without groups that then are empty. */
function sheetOf(css: string, isKept: (rule: Rule) => boolean, isRulesOnly = false): Root {
  const sheet = postcss.parse(css);
  sheet.walkRules((rule) => {
    if (rule.parent?.type === 'atrule' && (rule.parent as AtRule).name.endsWith('keyframes'))
      return;
    if (!isKept(rule)) rule.remove();
  });
  sheet.walkAtRules((rule) => {
    const isGroup = GROUPS.includes(rule.name);
    if (isGroup ? rule.nodes?.length === 0 : isRulesOnly) rule.remove();
  });
  return sheet;
}

/** For the sheet that comes later: a typeface that is declared anew is fetched anew, and its text drawn in another one meanwhile. */
export function withoutTypefaces(css: string): string {
  const sheet = sheetOf(css, (rule) => !isMirror(rule));
  sheet.walkAtRules('font-face', (rule) => void rule.remove());
  return sheet.toString();
}

function ruleOf(node: ChildNode): StyleRule {
  if (node.type === 'atrule' && node.nodes && GROUPS.includes(node.name)) {
    const inside = node.nodes.map(ruleOf);
    return { at: `@${node.name}${node.raws.afterName ?? ' '}${node.params}`, rules: inside };
  }
  const text = node.toString();
  if (node.type !== 'rule') return { css: text.endsWith('}') ? text : `${text};`, needs: [[]] };
  return { css: text, needs: node.selectors.map(classesOf) };
}

/** The arguments of `:not()`, `:is()` and `:has()` are ignored: one rule too many is better than a missing one. */
function classesOf(selector: string): string[] {
  let bare = selector;
  for (let before = ''; before !== bare;) {
    before = bare;
    bare = bare.replaceAll(/\([^()]*\)/g, '');
  }
  return [...bare.replaceAll(/\[[^\]]*\]/g, '').matchAll(/\.([\w-]+)/g)].map(
    ([, name = '']) => name,
  );
}
