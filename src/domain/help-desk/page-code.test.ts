import { expect, test } from 'vitest';
import { newPageCode, PAGE_CODE_LETTERS, pageCodeIn, spacedPageCode } from './page-code.ts';

test.each([
  ['klt mbr', 'KLTMBR'],
  [' KLT-MBR ', 'KLTMBR'],
  ['K L T M B R', 'KLTMBR'],
  ['k–l–t.m, b. r', 'KLTMBR'],
  ['\u200B„ＫＬＴ ＭＢＲ“', 'KLTMBR'],
  ['KLTMB', null],
  ['KLTMBRK', null],
  ['MARTIN', null],
  ['KLT MB1', null],
  ['klt@mb', null],
  ['', null],
])('[CON-10] the page code in "%s" is %s', (text, code) => {
  expect(pageCodeIn(text)).toBe(code);
});

test('[CON-10] new letters are read back as they were shown, and spell no word', () => {
  let at = 0;
  const code = newPageCode((end) => (at += 5) % end);
  expect(pageCodeIn(spacedPageCode(code))).toBe(code);
  expect(PAGE_CODE_LETTERS).not.toMatch(/[AEIOUYQJV01]/);
});
