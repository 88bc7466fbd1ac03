import { expect, test } from 'vitest';
import { svgFault } from './svg.ts';

const svg = (inside: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${inside}</svg>`,
  );
const times = (count: number, text: string) => text.repeat(count);
/** Levels of ten references each, made by `wrap` of a level's id and its ten references. */
const nested = (wrap: (id: string, refs: (ref: string) => string) => string, levels = 9) =>
  Array.from({ length: levels }, (_, at) =>
    wrap(`l${at + 1}`, (ref) => times(10, ref.replace('#', `#l${at}`))),
  ).join('');
const BASE = '<rect id="l0" width="1" height="1"/>';

test.each([
  ['nested uses', BASE + nested((id, refs) => `<g id="${id}">${refs('<use href="#"/>')}</g>`)],
  ['with xlink', BASE + nested((id, refs) => `<g id="${id}">${refs('<use xlink:href="#"/>')}</g>`)],
  ['wide uses', `<g id="l0">${times(200, '<path/>')}</g>${times(200, '<use href="#l0"/>')}`],
  [
    'patterns',
    BASE + nested((id, refs) => `<pattern id="${id}">${refs('<rect fill="url(#)"/>')}</pattern>`),
  ],
  [
    'masks in styles',
    BASE +
      nested(
        (id, refs) =>
          `<mask id="${id}">${refs('<rect style="mask:url( &quot;#&quot; )"/>')}</mask>`,
      ),
  ],
  [
    'clips',
    BASE +
      nested((id, refs) => `<clipPath id="${id}">${refs('<rect clip-path="url(#)"/>')}</clipPath>`),
  ],
  [
    'markers',
    BASE +
      nested((id, refs) => `<marker id="${id}">${refs('<path marker-mid="url(#)"/>')}</marker>`),
  ],
  [
    'filters',
    BASE + nested((id, refs) => `<filter id="${id}">${refs('<feImage href="#"/>')}</filter>`),
  ],
  ['a use of its own group', '<g id="a"><use href="#a"/></g>'],
  ['a cycle of two', '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'],
  ['a pattern of itself', '<pattern id="a"><rect fill="url(#a)"/></pattern>'],
])('[CON-23] S72: %s are too heavy', (_what, inside) => {
  expect(svgFault(svg(inside))).toBe('heavy');
});

test.each([
  ['a part drawn often', `${BASE}${times(500, '<use href="#l0"/>')}`],
  ['three levels', BASE + nested((id, refs) => `<g id="${id}">${refs('<use href="#"/>')}</g>`, 3)],
  ['a gradient on each path', `<linearGradient id="g"/>${times(4000, '<path fill="url(#g)"/>')}`],
  ['a gradient of a gradient', '<linearGradient id="a"/><linearGradient id="b" href="#a"/>'],
  ['many elements of its own', times(12_000, '<path/>')],
  ['an animation of its parent', '<g id="a"><animate href="#a" attributeName="opacity"/></g>'],
  ['a target that is missing', '<use href="#none"/>'],
])('[CON-23] S72: %s is taken', (_what, inside) => {
  expect(svgFault(svg(inside))).toBeNull();
});
