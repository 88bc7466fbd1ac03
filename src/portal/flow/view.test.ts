import { describe, expect, it } from 'vitest';
import { portalPlace, withCarriedQuery } from './view.ts';

describe('addresses', () => {
  it('[GEN-06] finds a screen in any case, with its entry point and query', () => {
    expect(portalPlace('/LEGAL-STAFF/Redirect/?a=1')).toEqual({
      screen: 'redirect',
      entrance: 'legalStaff',
      path: '/LEGAL-STAFF/Redirect/',
      search: '?a=1',
    });
    expect(portalPlace('/somewhere')).toBeNull();
  });

  it.each([
    ['/account/signin', '?subtenantId=3', '/account/signin?subtenantId=3'],
    ['/account/x?a=1', '?b=2&subtenantId=3', '/account/x?a=1&subtenantId=3'],
    ['/account/x?subtenantId=900', '?subtenantId=3', '/account/x?subtenantId=900'],
    ['/account/signin', '?expired=1', '/account/signin'],
  ])('[GEN-04] takes the named subtenant along: %s from %s', (href, search, expected) => {
    expect(withCarriedQuery(href, search)).toBe(expected);
  });
});
