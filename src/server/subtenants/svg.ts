import { SaxesParser } from 'saxes';

/** Why an SVG is refused; each has its words in `#locales/operator/server.ts`. */
export type SvgFault = 'broken' | 'code' | 'entity' | 'illustrator' | 'link' | 'font' | 'elsewhere';

const SVG = 'http://www.w3.org/2000/svg';
const HTML = 'http://www.w3.org/1999/xhtml';
const ACTIVE = /^(?:script|handler|listener|iframe|object|embed|audio|video)$/i;
/** Data that is a picture, and can have no code in it. */
const PICTURE = /^data:image\/(?:png|jpe?g|gif|webp)[;,]/i;
const SCHEME_OF_CODE = /(?:javascript|vbscript|data:(?:text|application)|data:image\/svg)/i;
/** Elements within each other, as browsers take them: the parser's work grows with the square of them. */
const MOST_LEVELS = 256;
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
    for (const each of Object.values(attributes)) {
      refuse(attributeFault(local, each.prefix, each.local, each.value));
    }
  });
  parser.on('closetag', () => {
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
  return faults[0] ?? (hasRoot ? null : 'broken');
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
