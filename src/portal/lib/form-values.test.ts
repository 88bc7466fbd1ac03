import { describe, expect, it } from 'vitest';
import { hasProblems, readForm, recheck } from './form-values.ts';

describe('readForm', () => {
  it('reads an absent field as empty and boxes of one name as one text', () => {
    const data = new FormData();
    for (const digit of '407291') data.append('code', digit);
    const values = readForm<'code' | 'email'>(data);
    expect(values.text('code')).toBe('407291');
    expect(values.text('email')).toBe('');
    expect(values.all('code')).toHaveLength(6);
  });
});

describe('recheck', () => {
  const required = { email: 'Please enter email address', password: 'Please enter password' };

  it('clears the changed field as soon as it is fixed and leaves the others', () => {
    const next = recheck(required, 'email', { password: required.password }, required);
    expect(next).toEqual({ password: required.password });
  });

  it('shows the newest problem of a field that is still wrong', () => {
    const fresh = { email: 'Please enter a valid email address' };
    expect(recheck({ email: 'Please enter email address' }, 'email', fresh, required)).toEqual(
      fresh,
    );
  });

  it('never marks a field that was not marked', () => {
    expect(recheck({ email: 'x' }, 'password', required, {})).toEqual({ email: 'x' });
  });

  it('clears another field that this change fixed: the password that matches at last', () => {
    const shown = { confirm: 'Your password does not match' };
    expect(recheck(shown, 'password', {}, shown)).toEqual({});
  });

  it('keeps what a server said about a field until that field changes', () => {
    const shown = { email: 'This email is already associated with other account or partner' };
    expect(recheck(shown, 'password', {}, {})).toEqual(shown);
    expect(hasProblems(recheck(shown, 'email', {}, {}))).toBe(false);
  });
});
