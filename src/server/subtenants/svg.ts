import { SaxesParser } from 'saxes';

/** Why an SVG is refused; each has its words in `#locales/operator/server.ts`. */
export type SvgFault =
  | 'broken'
  | 'code'
  | 'entity'
  | 'illustrator'
  | 'link'
  | 'font'
  | 'elsewhere'
  | 'heavy';

const SVG = 'http://www.w3.org/2000/svg';
const HTML = 'http://www.w3.org/1999/xhtml';
const ACTIVE = /^(?:script|handler|listener|iframe|object|embed|audio|video)$/i;
/** Data that is a picture, and can have no code in it. */
const PICTURE = /^data:image\/(?:png|jpe?g|gif|webp)[;,]/i;
const SCHEME_OF_CODE = /(?:javascript|vbscript|data:(?:text|application)|data:image\/svg)/i;
/** Elements within each other, as browsers take them: the parser's work grows with the square of them. */
const MOST_LEVELS = 256;
/** Elements that are drawn again by references, such as `use`, to each other. */
const MOST_DRAWN_AGAIN = 10_000;
const MOST_FOLLOWED = 2000;
/** What refers to an element without drawing it again. */
const DRAWS_NOTHING = /^(?:a|set|animate.*|mpath)$/i;

/** An element, with what is drawn for it: its children, and the targets of its references. */
type Drawn = { readonly children: Drawn[]; readonly targets: string[]; size?: number };

/** Attributes that are words for people, and names. */
const WORDS = /^(?:aria-.*|data-.*|title|alt|id|class|name|lang)$/i;
/** What fetches, in a style: a function with an address that is no part of this drawing. */
const FETCH = /url\(\s*(?!\s|["']?\s*#)|(?:image-set|image|src|cross-fade)\(/i;

/**
 * Returns why an SVG may not be a logo; `null`: it may. It is read as XML and decided by elements, attributes and
 * styles: what is only text is no code (decision 252).
 */
export function svgFault(bytes: Buffer): SvgFault | null {
  const faults: SvgFault[] = [];
  const refuse = (fault: SvgFault | null) => fault && faults.push(fault);
  const parser = new SaxesParser({ xmlns: true });
  let hasRoot = false;
  const open: string[] = [];
  const onText = (text: string) => {
    if (open.at(-1) === 'style') style += text;
  };
  let style = '';
  const root: Drawn = { children: [], targets: [] };
  const path: Drawn[] = [root];
  const byId = new Map<string, Drawn>();
  let count = 0;
  // An internal subset declares entities, and attributes that stand nowhere else.
  parser.on('doctype', (text) => refuse(text.includes('[') ? 'entity' : null));
  parser.on('processinginstruction', ({ target }) =>
    refuse(/^xml-stylesheet$/i.test(target) ? 'elsewhere' : null),
  );
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('opentag', ({ local, uri, attributes }) => {
    if (!hasRoot && (local !== 'svg' || uri !== SVG)) refuse('broken');
    hasRoot = true;
    open.push(local.toLowerCase());
    if (open.length > MOST_LEVELS) throw new RangeError('Too deep');
    if (/^foreignobject$/i.test(local)) refuse('illustrator');
    else if (uri === HTML || ACTIVE.test(local)) refuse('code');
    count += 1;
    const drawn: Drawn = { children: [], targets: [] };
    path.at(-1)?.children.push(drawn);
    path.push(drawn);
    for (const each of Object.values(attributes)) {
      if (each.local === 'id') byId.set(each.value, drawn);
      else if (!DRAWS_NOTHING.test(local)) drawn.targets.push(...targetsIn(each));
      refuse(attributeFault(local, each.prefix, each.local, each.value));
    }
  });
  parser.on('closetag', () => {
    path.pop();
    if (open.pop() !== 'style') return;
    refuse(styleFault(style));
    style = '';
  });
  try {
    parser.write(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).close();
  } catch {
    // Entities that were declared are unknown to the parser: the first fault says more.
    faults.push('broken');
  }
  if (faults[0] || !hasRoot) return faults[0] ?? 'broken';
  return sizeOf(root, byId) - count > MOST_DRAWN_AGAIN ? 'heavy' : null;
}

function targetsIn({ local, value }: { readonly local: string; readonly value: string }): string[] {
  if (/^href$/i.test(local)) return [value.trim().replace('#', '')];
  return [...value.matchAll(/url\(\s*["']?\s*#([^"')]*)/gi)].map(([, id = '']) => id.trim());
}

/** Returns how many elements are drawn for one; `Infinity` for a cycle, and for references too deep to follow. */
function sizeOf(drawn: Drawn, byId: ReadonlyMap<string, Drawn>, level = 0): number {
  if (drawn.size !== undefined) return drawn.size;
  // Until it is known, a way back to it is a cycle.
  drawn.size = Infinity;
  const each = [...drawn.children, ...drawn.targets.flatMap((id) => byId.get(id) ?? [])];
  if (level > MOST_FOLLOWED) return Infinity;
  drawn.size = each.reduce((sum, next) => sum + sizeOf(next, byId, level + 1), 1);
  return drawn.size;
}

function attributeFault(
  element: string,
  prefix: string,
  name: string,
  value: string,
): SvgFault | null {
  const bare = value.replaceAll(/[\p{Z}\p{C}]/gu, '');
  if (prefix === '' && /^on/i.test(name)) return 'code';
  if (/^attributename$/i.test(name)) return /^(?:.*:)?(?:on.*|href)$/i.test(bare) ? 'code' : null;
  if (prefix === 'xml') return name === 'base' ? 'elsewhere' : null;
  if (/^(?:href|src)$/i.test(name)) return linkFault(element, bare);
  if (prefix !== '' || WORDS.test(name)) return null;
  return SCHEME_OF_CODE.test(bare) ? 'code' : styleFault(value);
}

function linkFault(element: string, target: string): SvgFault | null {
  const isPicture = /^(?:image|feimage)$/i.test(element) && PICTURE.test(target);
  if (target.startsWith('#') || isPicture) return null;
  if (SCHEME_OF_CODE.test(target)) return 'code';
  return element === 'a' ? 'link' : 'elsewhere';
}

function styleFault(css: string): SvgFault | null {
  // CSS spells letters by numbers, too.
  const plain = css
    .replaceAll(/\\([\da-f]{1,6})\s?/gi, (_, hex: string) => {
      const code = Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
    })
    .replaceAll('\\', '');
  if (/@font-face/i.test(plain)) return 'font';
  if (SCHEME_OF_CODE.test(plain.replaceAll(/[\p{Z}\p{C}]/gu, ''))) return 'code';
  return /@import/i.test(plain) || FETCH.test(plain) ? 'elsewhere' : null;
}
