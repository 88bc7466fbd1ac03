import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { OperatorError } from '../config/operator-error.ts';
import { DEMO_SUBTENANTS } from '../demo/seed.ts';
import { samplePng } from '../testing/sample-png.ts';
import { loadLogos } from './logos.ts';

const OURS = fileURLToPath(new URL('../../portal/assets/subtenants', import.meta.url));
const own = mkdtempSync(join(tmpdir(), 'porchlight-logos-'));
afterAll(() => rmSync(own, { recursive: true, force: true }));

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';
/** A header of the kind that cameras write before the frame's. */
const jpeg = (width: number, height: number) => {
  const before = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex');
  const frame = Buffer.from('ffc2001108000000000301220002110103110100', 'hex').subarray(0, 19);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([before, frame, Buffer.from('ffda000803010002003f0707ffd9', 'hex')]);
};

test('[GEN-03] every logo that comes with the product has a picture for mails, sharp on fine screens', () => {
  const logos = loadLogos([OURS]);
  for (const path of [...DEMO_SUBTENANTS.map((each) => each.logo_path), '/logos/porchlight.svg']) {
    const picture = path.replace('.svg', '.png');
    expect(logos.forMail(path)).toEqual({ path: picture, width: 48, height: 48 });
    const found = logos.find(picture.slice('/logos/'.length));
    expect([found?.type, found?.bytes.readUInt32BE(16)]).toEqual(['image/png', 96]);
  }
});

test("an operator's own: PNG and JPEG as they are, SVG by what lies beside it, otherwise none", () => {
  const files = {
    'wide.png': samplePng(880, 120),
    'small.png': samplePng(60, 30),
    'photo.jpg': jpeg(300, 150),
    'drawn.svg': SVG,
    'drawn.jpeg': jpeg(96, 96),
    'alone.svg': SVG,
    '742.png': samplePng(40, 40),
    'notes.txt': 'not a logo',
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(own, name), bytes);
  const logos = loadLogos([OURS, own]);
  const shown = (file: string) => logos.forMail(`/logos/${file}`);
  expect(shown('wide.png')).toEqual({ path: '/logos/wide.png', width: 220, height: 30 });
  expect(shown('small.png')).toEqual({ path: '/logos/small.png', width: 60, height: 30 });
  expect(shown('photo.jpg')).toEqual({ path: '/logos/photo.jpg', width: 96, height: 48 });
  expect(shown('drawn.svg')).toEqual({ path: '/logos/drawn.jpeg', width: 48, height: 48 });
  expect(shown('742.svg')).toEqual({ path: '/logos/742.png', width: 40, height: 40 });
  for (const file of ['alone.svg', 'nothing.png', '../742.png', '']) {
    expect([file, shown(file)]).toEqual([file, null]);
  }
  expect(logos.forMail('https://elsewhere.example/logo.png')).toBeNull();
  expect(logos.find('drawn.jpeg')?.type).toBe('image/jpeg');
  expect(logos.find('drawn.svg')?.type).toBe('image/svg+xml; charset=utf-8');
  expect(logos.find('notes.txt')).toBeNull();
});

test('S47: a directory is no logo, and a file that is too large or cannot be read is named', () => {
  const odd = join(own, 'odd');
  mkdirSync(join(odd, 'folder.svg'), { recursive: true });
  writeFileSync(join(odd, 'fits.svg'), SVG.padEnd(1_000_000));
  expect(loadLogos([odd]).paths()).toEqual(['/logos/fits.svg']);
  const large = join(odd, 'large.png');
  writeFileSync(large, Buffer.alloc(1_000_001));
  expect(() => loadLogos([odd])).toThrow(
    new OperatorError(`${large} is larger than a megabyte. Make the picture smaller.`),
  );
  rmSync(large);
  symlinkSync(join(odd, 'nowhere'), join(odd, 'gone.svg'));
  expect(() => loadLogos([odd])).toThrow(OperatorError);
});

test.each([
  ['broken.png', Buffer.from('no picture'), 'cannot be read as the picture'],
  ['cut.jpg', jpeg(300, 150).subarray(0, 45), 'is cut off'],
  ['giant.png', samplePng(5000, 10), 'has 5000 by 10 pixels'],
  ['photo.JPG', samplePng(10, 10), 'cannot be read as the picture'],
  ['script.svg', SVG.replace('/>', '><script/></svg>'), 'has code in it'],
  ['font.SVG', SVG.replace('/>', '><style>@font-face{}</style></svg>'), 'has a font in it'],
])('[CON-23] %s is refused in a folder of logos, too', (file, bytes, says) => {
  const folder = mkdtempSync(join(own, 'refused-'));
  writeFileSync(join(folder, file), bytes);
  const refused = () => loadLogos([folder]);
  expect(refused).toThrow(OperatorError);
  expect(refused).toThrow(join(folder, file));
  expect(refused).toThrow(says);
});
