import { expect, test } from 'vitest';
import { samplePng } from '../testing/sample-png.ts';
import { checkLogo } from './logos.ts';

/* [CON-23] A file an input, and what is said of it. */

const says = (name: string, content: string | Buffer): string => {
  try {
    return checkLogo(742, name, Buffer.from(content)) && 'taken';
  } catch (error) {
    return (error as Error).message;
  }
};
const svg = (inside: string, more = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${more}>${inside}</svg>`;
const DATA = 'data:image/png;base64,AAAA';

test.each([
  ['a gradient', svg('<rect fill="url(&quot;#g&quot;)"/>')],
  [
    'a gradient in a style',
    svg('<style><![CDATA[.a{fill:url( "#g" )}]]></style><use xlink:href="#a"/>'),
  ],
  [
    'words that look like code',
    svg(
      '<text aria-label="Rosewood one = home">one = url(x) javascript: @import</text>',
      'data-name="onload = 1"',
    ),
  ],
  ['a picture in it', svg(`<image href="${DATA}"/>`)],
  [
    'an SVG of the W3C',
    `<?xml version="1.0" encoding="utf-8"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${svg('<a href="#top"><path d="M0 0"/></a>')}`,
  ],
  [
    'Inkscape',
    svg(
      '<sodipodi:namedview id="x" inkscape:label="url(a)"/><metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#"><cc:Work rdf:about=""><cc:license rdf:resource="https://x.example/"/></cc:Work></rdf:RDF></metadata>',
      'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"',
    ),
  ],
  ['a prefix for SVG', '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:path d="M0 0"/></s:svg>'],
])('[CON-23] taken: %s', (_, content) => {
  expect(says('logo.svg', content)).toBe('taken');
});

test.each([
  ['code', svg('<script>1</script>')],
  ['code', svg('<SCRIPT/>')],
  ['code', svg('<x:script xmlns:x="http://www.w3.org/2000/svg">1</x:script>')],
  ['code', svg('<h:iframe xmlns:h="http://www.w3.org/1999/xhtml"/>')],
  ['code', svg('<h:p xmlns:h="http://www.w3.org/1999/xhtml"/>')],
  ['code', svg('<g onload="1"/>')],
  ['code', svg('<g\nOnClick\n=\n"1"/>')],
  ['code', svg('<a href="java&#x73;cript:1"/>')],
  ['code', svg('<a xlink:href=" java&#10;script:1"/>')],
  ['code', svg('<a xmlns:y="http://www.w3.org/1999/xlink" y:href="javascript:1"/>')],
  ['code', svg('<a href="data:text/html,x"/>')],
  ['code', svg('<image href="data:image/svg+xml,x"/>')],
  ['code', svg('<animate attributeName="href" to="#a"/>')],
  ['code', svg('<set attributeName="xlink:href" to="https://elsewhere.example/"/>')],
  ['code', svg('<set attributeName="onclick" to="1"/>')],
  ['declares entities', `<!DOCTYPE svg [<!ENTITY ns "x">]>${svg('<g id="&ns;"/>')}`],
  ['declares entities', `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "1">]>${svg('')}`],
  ['foreignObject', svg('<switch><foreignObject/></switch>')],
  ['foreignObject', svg('<f:foreignobject xmlns:f="urn:x"/>')],
  ['a link', svg('<a href="https://rosewood.example/"><path d="M0 0"/></a>')],
  ['a font', svg('<style>@font-face{src:url(data:font/woff2;base64,AA)}</style>')],
  ['a font', svg('<style>@\\66ont-face{}</style>')],
  ['fetches', svg('<style>@import "a.css"</style>')],
  ['fetches', svg('<style><![CDATA[@im]]>port "a.css"</style>')],
  ['fetches', svg('<style>.a{fill:\\75rl(https://elsewhere.example/)}</style>')],
  ['fetches', svg('<style>.a{fill:url(/**/#a)}</style>')],
  ['fetches', svg('<style>.a{background:image-set("a.png" 1x)}</style>')],
  ['fetches', svg('<rect style="fill:URL( \'a\')"/>')],
  ['fetches', svg('<rect fill="u&#114;l(https://elsewhere.example/#a)"/>')],
  ['fetches', svg('<animate attributeName="fill" values="url(//elsewhere.example/)"/>')],
  ['fetches', svg('<use href="other.svg#a"/>')],
  ['fetches', svg(`<use href="${DATA}"/>`)],
  ['fetches', svg('<image xlink:href="//elsewhere.example/a.png"/>')],
  ['fetches', svg('<g xml:base="https://elsewhere.example/"/>')],
  ['fetches', `<?xml-stylesheet href="a.css"?>${svg('')}`],
  ['cannot be read', svg('<g>')],
  ['cannot be read', '<svg/>'],
  ['cannot be read', `<html xmlns="http://www.w3.org/1999/xhtml">${svg('')}</html>`],
  ['cannot be read', svg('&unknown;')],
  ['cannot be read', ''],
])('[CON-23] refused, %s: %s', (cause, content) => {
  expect(says('logo.svg', content)).toContain(cause);
});

test('[CON-23] refused: a drawing whose elements are nested 300 deep', () => {
  const deep = svg('<g>'.repeat(300) + '</g>'.repeat(300));
  expect(says('logo.svg', deep)).toContain('cannot be read');
});

const jpeg = (width: number, height: number) => {
  const frame = Buffer.from('ffd8ffc2001108000000000301220002110103110100', 'hex').subarray(0, 21);
  frame.writeUInt16BE(height, 7);
  frame.writeUInt16BE(width, 9);
  const scan = Buffer.from('ffda000803010002003f', 'hex');
  return Buffer.concat([frame, scan, Buffer.alloc(200, 7), Buffer.from('ffd9', 'hex')]);
};
const half = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2));

test.each([
  ['png', samplePng(2000, 2000), 'taken'],
  ['png', samplePng(2001, 2000), 'has 2001 by 2000 pixels'],
  ['png', samplePng(4096, 900), 'taken'],
  ['png', samplePng(4097, 900), 'has 4097 by 900 pixels'],
  ['png', samplePng(12_000, 9_000), 'has 12000 by 9000 pixels'],
  ['png', samplePng(1, 100_000), 'has 1 by 100000 pixels'],
  ['png', half(samplePng(2000, 2000)), 'is cut off'],
  ['png', samplePng(40, 40).subarray(0, 33), 'is cut off'],
  ['png', samplePng(40, 40).subarray(0, -12), 'is cut off'],
  [
    'png',
    Buffer.concat([samplePng(40, 40).subarray(0, 33), samplePng(40, 40).subarray(-12)]),
    'is cut off',
  ],
  ['png', samplePng(0, 10), 'cannot be read'],
  ['jpg', jpeg(2000, 2000), 'taken'],
  ['jpg', jpeg(2000, 2001), 'has 2000 by 2001 pixels'],
  ['jpeg', jpeg(1, 65_535), 'has 1 by 65535 pixels'],
  ['jpg', half(jpeg(40, 40)), 'is cut off'],
  ['jpg', jpeg(40, 40).subarray(0, 21), 'is cut off'],
  ['jpg', samplePng(40, 40), 'cannot be read'],
] as const)('[CON-23] a picture, .%s, #%#', (ending, bytes, expected) => {
  expect(says(`logo.${ending}`, bytes)).toContain(expected);
});
