/** [R54] [PRF-08] Headers, cookies and addresses that nobody thought of: no fault of ours, and no host of theirs. */

import { request as send } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clientEntry } from '../testing/relying-party.ts';
import { parsePromoCode } from '../sign-up/promo-codes.ts';
import { shortAddress } from '../audit/short-address.ts';
import { toNetwork } from '../abuse/network.ts';
import { createTestAppWithPages } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const EVIL = 'evil.example';
const RUNS = { numRuns: 40 };

const testApp = closeAtEnd(
  await createTestAppWithPages({ limitFactor: 100_000, clients: [clientEntry()] }),
);

type Answer = { readonly status: number; readonly location: string; readonly text: string };

/** As it stands on the wire: `fetch` would mend half of it. */
function ask(path: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = send(new URL(testApp.url), { path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () => {
        const { statusCode: status = 0, headers: answered } = response;
        resolve({ status, location: String(answered.location ?? ''), text });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

const value = fc
  .oneof(
    fc.string({ unit: 'binary-ascii' }),
    fc
      .array(
        fc.constantFrom(
          EVIL,
          'https',
          'host=',
          'for=',
          '"',
          ',',
          ';',
          '=',
          '%',
          '%zz',
          '::1',
          '10.0.0.1',
          ' ',
          'visit',
          'device',
          '/',
          '\\',
          '@',
          ':',
          '[',
          ']',
          '//',
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join('')),
  )
  // What no header may carry never reaches us.
  .map((text) => text.replace(/[^\t\x20-\x7e]/g, '').trim());

const path = fc.constantFrom(
  '/api/Visit/State',
  '/api/Settings/authSettings',
  '/idp/.well-known/openid-configuration',
  '/idp/authorize?client_id=porchlight-portal',
  '/idp/oidc/logout',
  '/account/start/garden-club',
  '/account/signin',
);

test('forwarded headers and hosts: addresses are ours', async () => {
  const name = fc.constantFrom(
    'host',
    'forwarded',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded-port',
    'x-forwarded-prefix',
    'x-original-url',
    'x-rewrite-url',
    'x-forwarded-for',
  );
  const headers = fc.dictionary(name, value, { minKeys: 1, maxKeys: 4 });
  await fc.assert(
    fc.asyncProperty(path, headers, async (at, given) => {
      const { status, location, text } = await ask(at, given);
      expect(status).toBeLessThan(500);
      expect(`${location} ${text}`).not.toContain(EVIL);
    }),
    RUNS,
  );
});

test('cookies: no fault, and never somebody else’s visit', async () => {
  const cookie = fc.oneof(
    value,
    value.map((text) => `visit=${text}`),
    value.map((text) => `device=${text}; visit=${text}; idp_session=${text}; _interaction=${text}`),
  );
  await fc.assert(
    fc.asyncProperty(path, cookie, async (at, given) => {
      const { status, text } = await ask(at, { cookie: given });
      expect(status).toBeLessThan(500);
      // Nobody's: at most a new visit with nothing in it.
      expect(text).not.toMatch(/"(?:signIn|login|code)":\{/);
    }),
    RUNS,
  );
});

test(
  '[D20] return addresses: to our own pages and registered ones, to no other',
  { tags: 'long' },
  async () => {
    const target = fc.oneof(
      fc.webUrl(),
      fc
        .array(
          fc.constantFrom(
            'https:',
            'http:',
            'javascript:',
            '//',
            '/',
            '\\',
            '@',
            '#',
            '?',
            '%2f',
            '%5c',
            '\t',
            '\r\n',
            '.',
            EVIL,
            'localhost',
            'garden.example',
            '/account/Signout?hosted=done',
          ),
          { maxLength: 8 },
        )
        .map((parts) => parts.join('')),
      fc.constant(`${EVIL}`).map((host) => `${testApp.url}.${host}/account/Signout`),
    );
    const asked = fc.constantFrom(
      (to: string) => `/idp/v2/logout?client_id=porchlight-portal&returnTo=${to}`,
      (to: string) => `/idp/oidc/logout?client_id=garden-club&post_logout_redirect_uri=${to}`,
      (to: string) => `/account/start/garden-club?target_link_uri=${to}`,
      (to: string) => `/idp/authorize?client_id=garden-club&response_type=code&redirect_uri=${to}`,
      (to: string) => `/account/Signin?returnTo=${to}&redirect=${to}`,
    );
    const own = new URL(testApp.url).origin;
    const registered = [clientEntry().redirectUris, clientEntry().postLogoutRedirectUris]
      .flat()
      .concat(clientEntry().initiateLoginUri ?? [])
      .map((each) => new URL(each ?? own).origin);
    await fc.assert(
      fc.asyncProperty(asked, target, async (at, to) => {
        const { status, location } = await ask(at(encodeURIComponent(to)), {});
        expect(status).toBeLessThan(500);
        expect([own, ...registered]).toContain(new URL(location, own).origin);
      }),
      RUNS,
    );
  },
);

test('[R54] a name of a query in any letters, as often as one likes', async () => {
  const name = fc.constantFrom(
    'request',
    'REQUEST',
    'subtenantId',
    'SUBTENANTID',
    '__proto__',
    'a[b]',
    '%',
    '',
  );
  const query = fc.array(fc.tuple(name, value), { maxLength: 5 });
  const at = fc.constantFrom(
    '/api/Visit/State',
    '/api/VISIT/state/',
    '/api/Account/GetUserDetailByEmailId',
  );
  await fc.assert(
    fc.asyncProperty(at, query, async (base, pairs) => {
      const search = pairs.map(([key, each]) => `${key}=${encodeURIComponent(each)}`).join('&');
      const { status, text } = await ask(`${base}?${search.replaceAll(' ', '+')}`, {});
      expect(status).toBeLessThan(500);
      expect(JSON.parse(text)).toHaveProperty('succeeded');
    }),
    RUNS,
  );
});

test('[D23] [D8] promo codes and addresses: whole or nothing', { tags: 'long' }, () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.ipV6(), fc.ipV4(), value), (typed) => {
      const code = parsePromoCode(typed);
      expect(code ?? 'NONE').toMatch(/^[A-Z\d-]{4,32}$/);
      expect(toNetwork(toNetwork(typed).replace('::/64', '::'))).toBe(toNetwork(typed));
      expect(() => shortAddress(typed)).not.toThrow();
    }),
  );
});

test.each(['/', '/?lang=es', '/account/signin?lang=es', '/?code=1'])(
  '[D20] S59: no path of another host is answered with a redirect: %s',
  async (rest) => {
    for (const start of [`//${EVIL}`, `/\\${EVIL}`, `http://${EVIL}`, `//${EVIL}/..`]) {
      const { status, location } = await ask(start + rest, { 'sec-fetch-site': 'same-origin' });
      expect([start, status < 500 && status >= 400, location]).toEqual([start, true, '']);
    }
  },
);
