import { describe, expect, test } from 'vitest';
import { meantEmail } from './mail-domain.ts';

describe('[SUP-11] slips of the finger', () => {
  test.each([
    ['gmial.com', 'gmail.com'],
    ['gmail.con', 'gmail.com'],
    ['gmail.co', 'gmail.com'],
    ['gmail.cm', 'gmail.com'],
    ['gmai.com', 'gmail.com'],
    ['gmaill.com', 'gmail.com'],
    ['gnail.com', 'gmail.com'],
    ['GMIAL.COM', 'gmail.com'],
    ['yaho.com', 'yahoo.com'],
    ['yahooo.com', 'yahoo.com'],
    ['yahoo.cmo', 'yahoo.com'],
    ['hotmial.com', 'hotmail.com'],
    ['hotnail.con', 'hotmail.com'],
    ['hotmail.co', 'hotmail.com'],
    ['outlok.com', 'outlook.com'],
    ['outllook.con', 'outlook.com'],
    ['iclould.com', 'icloud.com'],
    ['comcast.nte', 'comcast.net'],
    ['comacst.net', 'comcast.net'],
    ['bellsoth.net', 'bellsouth.net'],
    ['aol.con', 'aol.com'],
    ['rosewood.ogr', 'rosewood.org'],
    ['my-care.example.con', 'my-care.example.com'],
  ])('%s: %s', (typed, meant) => {
    expect(meantEmail(`Ann.Lee+x@${typed}`)).toBe(`Ann.Lee+x@${meant}`);
  });

  test('spaces around do not matter; what stands before the @ is left alone', () => {
    expect(meantEmail('  ann@gmial.com ')).toBe('ann@gmail.com');
    expect(meantEmail('gmial.com@gmial.com')).toBe('gmial.com@gmail.com');
  });
});

describe('no false alarm', () => {
  // prettier-ignore
  const REAL = [
    'gmail.com', 'googlemail.com', 'mail.com', 'email.com', 'ymail.com', 'gmx.com', 'gmx.net', 'gmx.de', 'gmx.at',
    'yahoo.com', 'yahoo.co.uk', 'yahoo.com.au', 'yahoo.com.br', 'yahoo.ca', 'yahoo.fr', 'yahoo.de', 'yahoo.co.jp', 'yahoo.in',
    'hotmail.com', 'hotmail.co.uk', 'hotmail.fr', 'hotmail.ch', 'hotmail.it', 'hotmail.com.br', 'hotmail.co.il',
    'outlook.com', 'outlook.fr', 'outlook.com.au', 'outlook.co.th', 'outlook.pt', 'live.com', 'live.co.uk', 'live.nl', 'msn.com',
    'icloud.com', 'me.com', 'mac.com', 'aol.com', 'aol.co.uk', 'ao.com', 'al.com', 'bol.com', 'aim.com', 'att.net', 'cox.net',
    'comcast.net', 'comcast.com', 'verizon.net', 'verizon.com', 'charter.net', 'earthlink.net', 'juno.com', 'rr.com',
    'protonmail.com', 'proton.me', 'pm.me', 'fastmail.com', 'fastmail.fm', 'zoho.com', 'tutanota.com', 'hey.com', 'yandex.ru',
    'mail.ru', 'gmail.ru', 'web.de', 't-online.de', 'orange.fr', 'libero.it', 'qq.com', '163.com', 'naver.com', 'safaricom.co.ke',
    'rediffmail.com', 'sbcglobal.net', 'bellsouth.net', 'optonline.net', 'windstream.net', 'frontier.com', 'cloud.com',
    'example.com', 'example.org', 'example.test', 'demo.porchlight.test', 'harvard.edu', 'nhs.net', 'va.gov', 'company.co', 'bbc.co.uk',
  ];
  test.each(REAL)('%s', (domain) => {
    expect(meantEmail(`ann@${domain}`)).toBeNull();
  });

  test.each([
    '',
    '@',
    'ann',
    'ann@',
    '@gmial.com',
    'ann@gmial',
    'ann@gm ial.com',
    `a@${'x'.repeat(300)}.con`,
  ])('nothing to mend in %j', (typed) => {
    expect(meantEmail(typed)).toBeNull();
  });

  test('what it proposes it never doubts', () => {
    for (const typed of ['a@gmial.con', 'a@hotmial.co', 'a@x.con']) {
      const meant = meantEmail(typed);
      expect(meant).not.toBeNull();
      expect(meantEmail(meant ?? '')).toBeNull();
    }
  });

  test('a hostile text takes no time', () => {
    for (const text of [
      '@'.repeat(65_536),
      `a@${'.'.repeat(200)}`,
      `a@${'gmail.'.repeat(50)}con`,
    ]) {
      expect(meantEmail(text)).toBeNull();
    }
  });
});
