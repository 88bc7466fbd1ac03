import { expect, it, test } from 'vitest';
import { privacyHelpFor } from './privacy-help.ts';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const IPAD =
  'Mozilla/5.0 (iPad; CPU OS 16_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)';
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko)';

// prettier-ignore
test.each([
  ['Safari on a Mac', 1, `${MAC}/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`],
  ['Safari on an iPad that asks for desktop pages: it looks like a Mac', 1, `${MAC}/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15`],
  ['Safari on an iPhone', 3, `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`],
  ['Safari on an iPad', 3, `${IPAD} Version/16.6 Mobile/15E148 Safari/604.1`],
  ['Safari on an iPod', 3, 'Mozilla/5.0 (iPod touch; CPU iPhone OS 12_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1.2 Mobile/15E148 Safari/604.1'],
  ['Chrome on Windows', 2, `${WINDOWS} Chrome/137.0.0.0 Safari/537.36`],
  ['Chrome on a Mac', 2, `${MAC}/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36`],
  ['Chrome on Android', 2, `${ANDROID} Chrome/137.0.0.0 Mobile Safari/537.36`],
  ['Chrome on an iPhone', 2, `${IPHONE} CriOS/137.0.7151.79 Mobile/15E148 Safari/604.1`],
  ['Chrome on an iPad', 2, `${IPAD} CriOS/118.0.5993.92 Mobile/15E148 Safari/604.1`],
  ['Firefox on Windows', 2, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:139.0) Gecko/20100101 Firefox/139.0'],
  ['Firefox on Android', 2, 'Mozilla/5.0 (Android 14; Mobile; rv:139.0) Gecko/139.0 Firefox/139.0'],
  ['Firefox on an iPhone', 2, `${IPHONE} FxiOS/139.0 Mobile/15E148 Safari/605.1.15`],
  ['Firefox on an iPad that asks for desktop pages', 2, `${MAC}/605.1.15 (KHTML, like Gecko) FxiOS/139.0 Safari/605.1.15`],
  ['Edge on Windows', 2, `${WINDOWS} Chrome/137.0.0.0 Safari/537.36 Edg/137.0.0.0`],
  ['the old Edge', 2, `${WINDOWS} Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763`],
  ['Edge on Android', 2, `${ANDROID} Chrome/137.0.0.0 Mobile Safari/537.36 EdgA/137.0.0.0`],
  ['Edge on an iPhone', 2, `${IPHONE} Version/18.0 EdgiOS/137.0.3296.52 Mobile/15E148 Safari/604.1`],
  ['Opera on Windows', 2, `${WINDOWS} Chrome/135.0.0.0 Safari/537.36 OPR/120.0.0.0`],
  ['Opera on an iPhone', 2, `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1 OPT/5.4.0`],
  ['Opera Mini on an iPhone', 2, `${IPHONE} OPiOS/16.0.15.124050 Mobile/15E148 Safari/9537.53`],
  ['the old Opera', 2, 'Opera/9.80 (Windows NT 6.1) Presto/2.12.388 Version/12.18'],
  ['an app on an iPhone', 4, `${IPHONE} Mobile/15E148`],
  ['the Google app on an iPhone', 4, `${IPHONE} GSA/372.0.768133914 Mobile/15E148 Safari/604.1`],
  ['GNOME Web, which is no Safari', 4, `${LINUX} Version/18.0 Safari/605.1.15`],
  ['the old Android browser, which is no Safari', 4, 'Mozilla/5.0 (Linux; U; Android 4.4.2; en-us; GT) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30'],
  ['Internet Explorer', 4, 'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko'],
  ['a program', 4, 'curl/8.14.1'],
  ['nothing', 4, ''],
])('[GEN-10] [RED-05] %s is shown variant %i', (_browser, variant, userAgent) => {
  expect(privacyHelpFor(userAgent)).toBe(variant);
});

it('[GEN-10] answers rightly to 64 KiB of anything', () => {
  expect(privacyHelpFor('Edg'.repeat(21_845))).toBe(4);
  expect(privacyHelpFor(`${'Version/'.repeat(8192)} Macintosh Safari/`)).toBe(1);
});
