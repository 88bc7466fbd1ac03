import { describe, expect, it, test } from 'vitest';
import { checkNewPassword } from './new-password.ts';

const GOOD = 'Porchlight-1';

const problemsOf = (password: string, confirmPassword: string) => {
  const checked = checkNewPassword({ password, confirmPassword });
  return checked.isValid ? {} : checked.problems;
};

describe('[PWD-05] a new password and its repetition', () => {
  it('gives both back as they were typed, spaces included', () => {
    const password = ` ${GOOD} `;
    expect(checkNewPassword({ password, confirmPassword: password })).toEqual({
      isValid: true,
      values: { password, confirmPassword: password },
    });
  });

  test.each([
    ['nothing typed', '', '', { password: 'passwordRequired', confirmPassword: 'confirmRequired' }],
    ['no repetition', GOOD, '', { confirmPassword: 'confirmRequired' }],
    ['another repetition', GOOD, `${GOOD}x`, { confirmPassword: 'confirmMismatch' }],
    ['a space too many', GOOD, `${GOOD} `, { confirmPassword: 'confirmMismatch' }],
    ['other capitals', GOOD, GOOD.toLowerCase(), { confirmPassword: 'confirmMismatch' }],
    ['seven characters', 'Porch-1', 'Porch-1', { password: 'passwordWeak' }],
    ['eight characters', 'Porchl-1', 'Porchl-1', {}],
    ['no lowercase letter', GOOD.toUpperCase(), GOOD.toUpperCase(), { password: 'passwordWeak' }],
    ['no uppercase letter', 'porchlight-1', 'porchlight-1', { password: 'passwordWeak' }],
    ['no digit', 'Porchlight-', 'Porchlight-', { password: 'passwordWeak' }],
    ['no special character', 'Porchlight1', 'Porchlight1', { password: 'passwordWeak' }],
    ['256 characters', `${'a'.repeat(252)}A-1b`, `${'a'.repeat(252)}A-1b`, {}],
    [
      '257 characters',
      `${'a'.repeat(253)}A-1b`,
      `${'a'.repeat(253)}A-1b`,
      { password: 'passwordWeak' },
    ],
    [
      'weak, and not repeated',
      'weak',
      'week',
      { password: 'passwordWeak', confirmPassword: 'confirmMismatch' },
    ],
  ])('%s', (_what, password, confirmation, problems) => {
    expect(problemsOf(password, confirmation)).toEqual(problems);
  });
});
