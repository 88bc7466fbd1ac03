// For the server: the portal's style sheet, rule by rule, with the classes that each asks for (decision 135).
import postcss, { type ChildNode } from 'postcss';
import type { StyleRule } from '../src/server/ssr/page-styles.ts';

/** At-rules that hold rules which count by themselves. Others, such as `@font-face` and `@keyframes`, are taken whole. */
const GROUPS = ['media', 'supports', 'container', 'layer'];

export function listStyles(css: string): StyleRule[] {
  return postcss.parse(css).nodes.map(ruleOf);
}

/** For the sheet that comes later: a typeface that is declared anew is fetched anew, and its text drawn in another one meanwhile. */
export function withoutTypefaces(css: string): string {
  const sheet = postcss.parse(css);
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
