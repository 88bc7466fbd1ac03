/** The portal's style sheet, rule by rule, as `tools/list-styles.ts` writes it: what stands inside `@media` and the like is a group. */
export type StyleRule =
  | { readonly css: string; readonly needs: readonly (readonly string[])[] }
  | { readonly at: string; readonly rules: readonly StyleRule[] };

/**
 * The rules that can count for a drawn page, in their order: of each the classes of one selector are in it. Rules of
 * elements and attributes alone always can.
 */
export function stylesFor(rules: readonly StyleRule[], html: string): string {
  const classes = new Set(
    [...html.matchAll(/\sclass="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')),
  );
  const write = (some: readonly StyleRule[]): string =>
    some
      .map((rule) => {
        if ('css' in rule) {
          const counts = rule.needs.some((names) => names.every((name) => classes.has(name)));
          return counts ? rule.css : '';
        }
        const inside = write(rule.rules);
        return inside && `${rule.at}{${inside}}`;
      })
      .join('');
  return write(rules);
}
