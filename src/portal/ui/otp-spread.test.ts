import { describe, expect, it, test } from 'vitest';
import { givenText, spreadDigits } from './otp-spread.ts';

const EMPTY = ['', '', '', '', '', ''];

describe('spreadDigits', () => {
  test.each([
    ['one digit goes into its box and on', EMPTY, 2, '7', ['', '', '7', '', '', ''], 3],
    [
      '[OTP-04] a whole code fills from the first box wherever it arrives',
      EMPTY,
      3,
      '407291',
      [...'407291'],
      5,
    ],
    ['[OTP-04] spaces and words are left out', EMPTY, 0, 'Code: 407 291.', [...'407291'], 5],
    ['[OTP-04] only the first six digits count', EMPTY, 0, '4072919999', [...'407291'], 5],
    ['a part of a code starts where it was typed', EMPTY, 3, '291', ['', '', '', '2', '9', '1'], 5],
    ['letters change nothing', [...'40', '', '', '', ''], 2, 'ab', [...'40', '', '', '', ''], 2],
  ])('%s', (_, boxes, at, text, filled, next) => {
    expect(spreadDigits(boxes, at, text)).toEqual({ boxes: filled, next });
  });
});

describe('givenText', () => {
  it('takes only the typed digit in a box that was full', () => {
    expect(givenText('47', '7')).toBe('7');
  });
  it('takes everything that was filled in at once', () => {
    expect(givenText('407291', null)).toBe('407291');
    expect(givenText('407291', '407291')).toBe('407291');
  });
});
