/** HTML that a page takes as it is. `new Markup(text)` vouches for a text from elsewhere; `html` makes all others. */
export class Markup {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

type Part = string | number | Markup | readonly Part[];

/**
 * Returns HTML whose values are escaped, between tags and in quoted attributes. A line break beside a tag goes, with its
 * indent; any other is one blank.
 */
export function html(template: TemplateStringsArray, ...values: readonly Part[]): Markup {
  const raw = template.map((text) =>
    text.replaceAll(/(>)\n\s*|\n\s*(<)/g, '$1$2').replaceAll(/\n\s*/g, ' '),
  );
  return new Markup(String.raw({ raw }, ...values.map(escapePart)));
}

/**
 * Puts values into the `{placeholders}` of a text, as HTML.
 * @throws Error when a placeholder has no value
 */
export function fillHtml(text: string, values: Readonly<Record<string, Part>>): Markup {
  const parts = text.split(/\{(\w+)\}/).map((part, index) => {
    const value = index % 2 === 0 ? part : values[part];
    if (value === undefined) throw new Error(`No value for {${part}} in "${text}"`);
    return value;
  });
  return html`${parts}`;
}

function escapePart(part: Part): string {
  if (part instanceof Markup) return part.toString();
  if (typeof part === 'object') return part.map(escapePart).join('');
  return String(part).replace(/[&<>"']/g, (char) => `&#${char.codePointAt(0)};`);
}
