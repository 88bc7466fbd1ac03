import { expect, test } from 'vitest';
import { stylesFor } from '../src/server/ssr/page-styles.ts';
import { listStyles, withoutTypefaces } from './list-styles.ts';

const SHEET = [
  '@charset "utf-8";',
  '@font-face{font-family:A;src:url(a)}',
  'body{margin:0}',
  '[data-theme=dark] a:hover{color:red}',
  '.a0{color:red}',
  '.a0 .b0,.c0>p{color:blue}',
  '.a0:not(.z0):is(.y0,:not(.x0)){top:0}',
  '.d0::after{content:"{.e0}"}',
  '@media (width<30rem){.a0{left:0}.d0{left:0}@supports (top:0){.d0{top:0}}}',
  '@keyframes f0{to{top:0}}',
].join('');

const styles = (html: string) => stylesFor(listStyles(SHEET), html);

test('[PRF-22] a page gets the rules of its classes, those of elements and attributes, and all that names none', () => {
  expect(styles('<p class="a0 q0">')).toBe(
    [
      '@charset "utf-8";',
      '@font-face{font-family:A;src:url(a)}',
      'body{margin:0}',
      '[data-theme=dark] a:hover{color:red}',
      '.a0{color:red}',
      '.a0:not(.z0):is(.y0,:not(.x0)){top:0}',
      '@media (width<30rem){.a0{left:0}}',
      '@keyframes f0{to{top:0}}',
    ].join(''),
  );
});

test('[PRF-22] one selector of a list is enough, and each needs all its classes', () => {
  expect(styles('<b class="b0">')).not.toContain('blue');
  expect(styles('<i class="a0"><b class="b0">')).toContain('.a0 .b0,.c0>p{color:blue}');
  expect(styles('<i class="c0">')).toContain('.a0 .b0,.c0>p{color:blue}');
});

test('[PRF-22] with every class the sheet is whole, group in group too', () => {
  expect(styles('<i class="a0 b0 c0 d0">')).toBe(SHEET);
});

test('[PRF-22] the sheet that comes later declares no typeface again, and all the rest', () => {
  expect(withoutTypefaces(SHEET)).toBe(SHEET.replace('@font-face{font-family:A;src:url(a)}', ''));
});
