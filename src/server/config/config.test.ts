import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { MODULE_IDS } from '#domain/people/roles.ts';
import { loadConfig, readConfig } from './config.ts';
import { readModules } from './modules-file.ts';
import { faultText } from './setting.ts';

const directory = mkdtempSync(join(tmpdir(), 'porchlight-config-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const module = {
  id: 'admin',
  rootUrl: 'https://admin.example.org/',
  loginUrl: 'https://admin.example.org/login',
  secretHash: 'x'.repeat(43),
};
const modulesFile = join(directory, 'all-modules.json');
writeFileSync(modulesFile, JSON.stringify(MODULE_IDS.map((id) => ({ ...module, id }))));

const demo = { PORCHLIGHT_DATA_DIR: directory };
const production = {
  PORCHLIGHT_MODE: 'production',
  DATABASE_URL: 'postgres://db.example/porchlight',
  PORCHLIGHT_SECRET: '8sJx0qkXhTz4mV2cRb7wLpYd5nGf9aEu',
  TRUSTED_PROXIES: '10.0.0.1',
  PORCHLIGHT_HELP_PHONE: '+1 555 010 0123',
  PORCHLIGHT_HELP_EMAIL: 'help@example.org',
  PORCHLIGHT_PUBLIC_URL: 'https://login.example.org',
  SMTP_URL: 'smtps://mail.example.org',
  MAIL_FROM: 'Rosewood <no-reply@example.org>',
  PORCHLIGHT_MODULES_FILE: modulesFile,
};

function faultsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadConfig({ ...demo, ...env });
    return [];
  } catch (error) {
    const [first, ...faults] = (error as Error).message.split('\n');
    if (first !== 'Porchlight cannot start. Please mend these settings:') throw error;
    return faults.map((fault) => fault.replace(/^ {2}- /, ''));
  }
}

describe('[API-04] a demo', () => {
  test('needs nothing', () => {
    expect(loadConfig(demo)).toMatchObject({
      mode: 'demo',
      host: 'localhost',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      databaseUrl: null,
      enumerationProtection: 'balanced',
      limitFactor: 100,
      // Tests have less: what hangs is given up after this (R34).
      providerTimeoutMs: 5000,
      mainImageMode: 1,
      mail: null,
      twilio: null,
      crm: null,
    });
  });

  test('makes its secret once, for its own user alone', () => {
    const { secret } = loadConfig(demo);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(loadConfig(demo).secret).toBe(secret);
    expect(statSync(join(directory, 'secret')).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory).toSorted()).toEqual(['all-modules.json', 'secret']);
  });

  test('an empty setting is none; a closing slash is no part of the address', () => {
    const config = loadConfig({
      ...demo,
      PORT: '',
      PORCHLIGHT_PUBLIC_URL: 'http://portal.test:8080//',
    });
    expect(config).toMatchObject({ port: 3000, publicUrl: 'http://portal.test:8080' });
  });
});

/** What no address has that has to be an origin; each with an origin of its own to write. */
const MORE_THAN_ORIGINS = [
  ['https://login.example.org/auth', 'https://login.example.org'],
  ['https://login.example.org//auth/', 'https://login.example.org'],
  ['https://login.example.org?x=1', 'https://login.example.org'],
  ['https://login.example.org/?', 'https://login.example.org'],
  ['https://login.example.org/#top', 'https://login.example.org'],
  ['https://login.example.org#', 'https://login.example.org'],
  ['https://anna@login.example.org', 'https://login.example.org'],
  ['https://anna:canary@login.example.org/', 'https://login.example.org'],
  ['https://:canary@Login.example.org:8443', 'https://login.example.org:8443'],
] as const;

describe('[ARC-01] an address that has to be an origin', () => {
  test.each(MORE_THAN_ORIGINS)('%s: the fault says to write %s', (address, origin) => {
    const says = `must be an origin, without path, query, fragment, user name or password: write ${origin}`;
    expect(faultsOf({ PORCHLIGHT_PUBLIC_URL: address })).toEqual([
      `PORCHLIGHT_PUBLIC_URL: ${says}`,
    ]);
    expect(faultsOf({ ...production, PORCHLIGHT_PUBLIC_URL: address })).toHaveLength(1);
  });

  test.each([
    ['HTTPS://Login.Example.org/', 'https://login.example.org'],
    ['https://login.example.org:443', 'https://login.example.org'],
    ['http://portal.test:8080//', 'http://portal.test:8080'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('%s is one, and pages call it %s', (address, publicUrl) => {
    expect(loadConfig({ ...demo, PORCHLIGHT_PUBLIC_URL: address }).publicUrl).toBe(publicUrl);
  });

  test.each([
    ['SMS_WEBHOOK_URL', { SMS_WEBHOOK_KEY: 'a key that is long enough' }],
    ['VOICE_WEBHOOK_URL', { VOICE_WEBHOOK_KEY: 'a key that is long enough' }],
    ['CRM_URL', { CRM_KEY: 'key' }],
    ['PORCHLIGHT_EVENTS_URL', { PORCHLIGHT_EVENTS_SECRET: `whsec_${'Ab3+'.repeat(8)}` }],
    ['PORCHLIGHT_HOSTED_LOGIN_DOMAIN', {}],
  ])('%s may have a path, and no user name or password, which no call can have', (name, more) => {
    for (const user of ['anna', 'anna:canary', ':canary']) {
      const faults = faultsOf({ ...more, [name]: `https://${user}@there.example/path` });
      expect(faults.filter((fault) => fault.startsWith(`${name}: `))).toEqual([
        expect.stringContaining('user name'),
      ]);
    }
  });
});

describe('a bad environment', () => {
  test.each([
    ['PORT', '70000'],
    ['PORT', 'eighty'],
    ['PORCHLIGHT_MODE', 'staging'],
    ['PORCHLIGHT_PUBLIC_URL', 'localhost:3000'],
    ['PORCHLIGHT_PUBLIC_URL', 'javascript:alert(1)'],
    ['DATABASE_URL', 'mysql://db'],
    ['PORCHLIGHT_DATABASE_POOL', '1'],
    ['PORCHLIGHT_DATABASE_POOL', '201'],
    ['PORCHLIGHT_DATABASE_POOL', 'ten'],
    ['PORCHLIGHT_SECRET', 'short'],
    ['SMTP_URL', 'http://mail'],
    ['PORCHLIGHT_ENUMERATION', 'paranoid'],
    ['PORCHLIGHT_MAIN_IMAGE_MODE', '4'],
    ['PORCHLIGHT_STEP_GAP_MS', '501'],
    ['LOG_LEVEL', 'loud'],
    ['SMTP_URL', 'smtp://mail.example.org/?ignoreTLS=true'],
    ['MAIL_FROM', 'A <a@example.org>, B <b@example.org>'],
    ['MAIL_FROM', 'A <a@example.org>\r\nBcc: <b@example.org>'],
    ['MAIL_FROM', 'nobody'],
    ['SMS_DAILY_LIMIT', '0'],
    ['RECEIPTS_KEY', 'short'],
    ['PORCHLIGHT_METRICS_TOKEN', 'short'],
    ['PORCHLIGHT_METRICS_TOKEN', 'a token that has spaces in it, though it is long'],
    ['PORCHLIGHT_LOGOS_DIR', '/nowhere/at/all'],
  ])('%s=%s is named', (name, value) => {
    expect(faultsOf({ [name]: value })).toEqual([expect.stringContaining(name)]);
  });

  test.each([
    ['SMS_WEBHOOK_URL', 'https://sms.example', 'SMS_WEBHOOK_KEY'],
    ['SMS_WEBHOOK_KEY', 'a key that is long enough', 'SMS_WEBHOOK_URL'],
    ['CRM_URL', 'https://crm.example', 'CRM_KEY'],
    ['CRM_KEY', 'key', 'CRM_URL'],
    ['PORCHLIGHT_EVENTS_URL', 'https://events.example', 'PORCHLIGHT_EVENTS_SECRET'],
    ['PORCHLIGHT_EVENTS_SECRET', `whsec_${'A'.repeat(32)}`, 'PORCHLIGHT_EVENTS_URL'],
    ['TWILIO_WHATSAPP_FROM', '+15550100199', 'TWILIO_ACCOUNT_SID'],
    ['MAIL_ENVELOPE_FROM', 'bounces@example.org', 'SMTP_URL'],
  ])('%s alone asks for its other half', (name, value, other) => {
    expect(faultsOf({ [name]: value })).toEqual([`${other} is required with ${name}`]);
  });

  test('[OPS-60] events go by https in production, under a key of Standard Webhooks', () => {
    const key = { PORCHLIGHT_EVENTS_SECRET: `whsec_${'Ab3+'.repeat(8)}` };
    const to = (url: string, more: NodeJS.ProcessEnv = {}) =>
      faultsOf({ ...more, ...key, PORCHLIGHT_EVENTS_URL: url });
    expect(to('http://127.0.0.1:9/')).toEqual([]);
    expect(to('https://events.example', production)).toEqual([]);
    const clear = 'PORCHLIGHT_EVENTS_URL must begin with https://';
    expect(to('http://127.0.0.1:9/', production)).toEqual([clear]);
    expect(to('http://events.example')).toEqual([expect.stringContaining('must be https')]);
    expect(to('https://me:it@events.example')).toEqual([expect.stringContaining('no user name')]);
    for (const secret of ['a key that is long enough', 'whsec_short', 'whsec_not base64 at all!']) {
      key.PORCHLIGHT_EVENTS_SECRET = secret;
      expect(to('https://events.example')).toEqual([expect.stringContaining('whsec_')]);
    }
  });

  test.each([
    ['CRM_URL', 'CRM_KEY'],
    ['SMS_WEBHOOK_URL', 'SMS_WEBHOOK_KEY'],
  ])('%s in the clear leads to this machine only', (name, key) => {
    const faultsAt = (url: string) => faultsOf({ [name]: url, [key]: 'a key that is long enough' });
    expect(faultsAt('http://crm.internal/leads')).toEqual([
      expect.stringContaining(`${name}: must be https, except on this machine`),
    ]);
    for (const url of ['https://crm.internal/leads', 'http://localhost:9/', 'http://127.0.0.1/']) {
      expect([url, faultsAt(url)]).toEqual([url, []]);
    }
  });

  test('Twilio, DKIM and two ways for texts: what is missing, wrong or too much is named together', () => {
    const faults = faultsOf({
      TWILIO_ACCOUNT_SID: 'AC123',
      TWILIO_FROM: 'me',
      SMS_WEBHOOK_URL: 'https://sms.example',
      SMS_WEBHOOK_KEY: 'a key that is long enough',
      SMTP_URL: 'smtps://mail.example.org',
      MAIL_DKIM_DOMAIN: 'example.org',
      MAIL_DKIM_KEY_FILE: join(directory, 'secret'),
    });
    for (const fault of [
      /^MAIL_DKIM_KEY_FILE: is no readable private key/,
      /^TWILIO_ACCOUNT_SID: must be AC/,
      /^TWILIO_FROM: must be a number/,
      /^TWILIO_AUTH_TOKEN is required with TWILIO_ACCOUNT_SID/,
      /^MAIL_DKIM_SELECTOR is required with MAIL_DKIM_DOMAIN/,
      /^SMS_WEBHOOK_URL and TWILIO_ACCOUNT_SID are two ways/,
    ]) {
      expect(faults).toContainEqual(expect.stringMatching(fault));
    }
    expect(faults).toHaveLength(6);
  });

  test('tells every fault at once, of values and of the mode', () => {
    const faults = faultsOf({
      PORCHLIGHT_MODE: 'production',
      PORT: 'eighty',
      PORCHLIGHT_PUBLIC_URL: 'http://login.example.org',
      PORCHLIGHT_STEP_GAP_MS: '299',
      PORCHLIGHT_ENUMERATION: 'off',
      CRM_URL: 'https://crm.example',
    });
    const named = [
      'PORT',
      'CRM_KEY',
      'DATABASE_URL',
      'PORCHLIGHT_SECRET',
      'SMTP_URL',
      'MAIL_FROM',
      'PORCHLIGHT_MODULES_FILE',
      'PORCHLIGHT_HELP_PHONE',
      'PORCHLIGHT_HELP_EMAIL',
      'TRUSTED_PROXIES',
      'PORCHLIGHT_PUBLIC_URL',
      'PORCHLIGHT_STEP_GAP_MS',
      'PORCHLIGHT_ENUMERATION',
    ];
    expect(faults.map((fault) => named.find((name) => fault.startsWith(name)))).toEqual(named);
  });

  test('never repeats a value, which may be a secret', () => {
    expect(faultsOf({ PORCHLIGHT_SECRET: 'canary' }).join()).not.toContain('canary');
  });
});

describe('[R55] production', () => {
  test('starts with its own settings and real limits', () => {
    expect(loadConfig(production)).toMatchObject({
      mode: 'production',
      limitFactor: 1,
      logLevel: 'info',
    });
  });

  test('refuses to start without an address of its own', () => {
    expect(faultsOf({ ...production, PORCHLIGHT_PUBLIC_URL: '' })).toEqual([
      expect.stringMatching(/^PORCHLIGHT_PUBLIC_URL is required/),
    ]);
  });
});

test('[R55] a secret of few different characters can be guessed', () => {
  const fault = 'PORCHLIGHT_SECRET can be guessed: make one with openssl rand -base64 48';
  for (const secret of [
    'x'.repeat(32),
    'abcabcabc'.repeat(5),
    '0123456780'.repeat(4).slice(0, 36),
  ]) {
    expect(faultsOf({ ...production, PORCHLIGHT_SECRET: secret })).toEqual([fault]);
  }
  expect(faultsOf({ ...production, PORCHLIGHT_SECRET: '0123456789abcdef'.repeat(2) })).toEqual([]);
});

test('that there is no proxy can be said, and names none', () => {
  expect(loadConfig({ ...production, TRUSTED_PROXIES: 'none' }).trustedProxies).toEqual([]);
});

describe('[OPS-08] what is worth a look', () => {
  const texts = { SMS_WEBHOOK_URL: 'https://sms.example', SMS_WEBHOOK_KEY: 'k'.repeat(16) };
  const warnings = (more: NodeJS.ProcessEnv) =>
    readConfig({ ...production, ...texts, ...more }).warnings;

  test('nothing, of good settings', () => {
    expect(warnings({})).toEqual([]);
  });

  test('a name that is no setting, with the one that was meant', () => {
    expect(warnings({ PORCHLIGHT_SECRETS: 'x', PORCHLIGHT_XYZ: 'x' })).toEqual([
      expect.stringContaining('PORCHLIGHT_SECRETS is no setting. Did you mean PORCHLIGHT_SECRET?'),
      expect.stringMatching(/^PORCHLIGHT_XYZ is no setting\. docs/),
    ]);
  });

  test('a proxy on this machine that is not named; no way for texts; modules that are missing', () => {
    const some = join(directory, 'modules.json');
    writeFileSync(some, JSON.stringify([module]));
    const found = warnings({
      TRUSTED_PROXIES: 'none',
      HOST: '127.0.0.1',
      SMS_WEBHOOK_URL: '',
      SMS_WEBHOOK_KEY: '',
      PORCHLIGHT_MODULES_FILE: some,
    });
    expect(found.join('\n')).toMatch(
      /has no member-intake, event-counter[^]*TRUSTED_PROXIES[^]*TWILIO/,
    );
    expect(warnings({ TRUSTED_PROXIES: 'none', HOST: '0.0.0.0' })).toEqual([]);
  });

  test.each(['foo', '10.0.0.0/33', '10.0.0.1/', '10.0.0.1/8/8', 'db.internal'])(
    'TRUSTED_PROXIES=%s is a fault',
    (proxies) => {
      expect(faultsOf({ TRUSTED_PROXIES: proxies })).toEqual([
        expect.stringMatching(/^TRUSTED_PROXIES: must be none, or/),
      ]);
    },
  );

  test.each(['loopback,10.0.0.0/8', '::1', 'fd00::/8'])('TRUSTED_PROXIES=%s is not', (proxies) => {
    expect(faultsOf({ TRUSTED_PROXIES: proxies })).toEqual([]);
  });

  test.each([
    ['PORCHLIGHT_HELP_PHONE', '+1 555 010 0199'],
    ['PORCHLIGHT_HELP_EMAIL', 'help@demo.porchlight.test'],
  ])("[OPS-09] the demo's help is refused: %s", (name, value) => {
    expect(faultsOf({ ...production, [name]: value })).toEqual([
      `${name} is the demo's: name your own`,
    ]);
  });
});

describe('messages and leads', () => {
  const twilio = {
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'x'.repeat(32),
    TWILIO_FROM: '+15550100199',
  };

  test('Twilio reports to the public address, where there is one', () => {
    expect(loadConfig({ ...production, ...twilio }).twilio).toEqual({
      apiUrl: 'https://api.twilio.com',
      accountSid: twilio.TWILIO_ACCOUNT_SID,
      authToken: twilio.TWILIO_AUTH_TOKEN,
      from: '+15550100199',
      whatsAppFrom: null,
      whatsAppContentSid: null,
      deliveryReportsUrl: 'https://login.example.org/api/Messaging/Receipts/Twilio',
    });
    expect(loadConfig({ ...demo, ...twilio }).twilio?.deliveryReportsUrl).toBeNull();
  });

  const voice = { ...twilio, TWILIO_VOICE_FROM: '+15550100197' };
  test('[VOI-05] calls go to the country of the operator alone, unless more regions are named', () => {
    expect(loadConfig(demo)).toMatchObject({ voice: null, voiceCountries: [] });
    expect(loadConfig({ ...production, ...voice })).toMatchObject({
      voice: {
        by: 'twilio',
        from: '+15550100197',
        callbackUrl: 'https://login.example.org/api/Messaging/Voice/Twilio',
      },
      voiceCountries: ['US'],
    });
    const home = { ...production, ...voice, PORCHLIGHT_COUNTRIES: 'KE,US' };
    expect(loadConfig(home).voiceCountries).toEqual(['KE']);
    expect(loadConfig({ ...home, VOICE_COUNTRIES: 'us ca' }).voiceCountries).toEqual(['US', 'CA']);
  });

  test('[VOI-08] calls need an address that Twilio reaches, or the key of receipts; one way alone', () => {
    expect(faultsOf(voice)).toEqual([expect.stringMatching(/^TWILIO_VOICE_FROM needs an https/)]);
    const webhook = {
      VOICE_WEBHOOK_URL: 'https://calls.example',
      VOICE_WEBHOOK_KEY: 'k'.repeat(16),
    };
    expect(faultsOf(webhook)).toEqual(['RECEIPTS_KEY is required with VOICE_WEBHOOK_URL']);
    const both = { ...production, ...voice, ...webhook, RECEIPTS_KEY: 'r'.repeat(16) };
    expect(faultsOf(both)).toEqual([expect.stringContaining('are two ways for calls')]);
  });

  test('[R15] texts go where people register from; without a list, in production to one country alone', () => {
    expect(loadConfig(demo).smsCountries).toEqual([]);
    expect(loadConfig(production).smsCountries).toEqual(['US']);
    expect(loadConfig({ ...production, PORCHLIGHT_COUNTRIES: 'US,KE' }).smsCountries).toEqual([
      'US',
      'KE',
    ]);
    expect(loadConfig({ ...production, SMS_COUNTRIES: 'us, in' }).smsCountries).toEqual([
      'US',
      'IN',
    ]);
  });

  test('a mail may be signed, and come back to another address', () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const path = join(directory, 'dkim.pem');
    writeFileSync(path, privateKey);
    const config = loadConfig({
      ...production,
      MAIL_ENVELOPE_FROM: 'bounces@example.org',
      MAIL_DKIM_DOMAIN: 'example.org',
      MAIL_DKIM_SELECTOR: 'porch',
      MAIL_DKIM_KEY_FILE: path,
    });
    expect(config.mail).toEqual({
      url: 'smtps://mail.example.org',
      from: 'Rosewood <no-reply@example.org>',
      envelopeFrom: 'bounces@example.org',
      dkim: { domain: 'example.org', selector: 'porch', privateKey },
    });
  });
});

describe('the list of modules', () => {
  const read = (content: unknown) => {
    const path = join(directory, 'modules.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    const { faults, ...rest } = readModules(path, { isDemo: false });
    return { ...rest, faults: faults.map(faultText), warnings: rest.warnings.map(faultText) };
  };

  test('is taken as written', () => {
    expect(read([module]).modules).toEqual([
      { ...module, sealedTo: null, signOutUrl: null, accepts: ['otp'] },
    ]);
    expect(read([module]).missing).toEqual(MODULE_IDS.filter((id) => id !== 'admin'));
  });

  test.each([
    ['no JSON', '{', 'JSON'],
    ['no list', {}, 'must be a list of modules'],
    ['an unknown module', [{ ...module, id: 'mailer' }], '0.id: must be one of member-intake,'],
    [
      'an address without TLS',
      [{ ...module, rootUrl: 'http://admin.example.org/' }],
      '0.rootUrl: must be an https address',
    ],
    ['a script for an address', [{ ...module, loginUrl: 'javascript:alert(1)' }], '0.loginUrl'],
    [
      'a sign-out call without TLS',
      [{ ...module, signOutUrl: 'http://localhost:8080/signed-out' }],
      '0.signOutUrl: must be an https address',
    ],
    ['a secret in the clear', [{ ...module, secretHash: 'secret' }], '0.secretHash: must be the'],
    ['a module twice', [module, module], 'names the module admin twice'],
  ])('[OPS-09] %s is refused in words', (_, content, said) => {
    expect(read(content).faults).toEqual([expect.stringContaining(said)]);
    const env = { ...production, PORCHLIGHT_MODULES_FILE: join(directory, 'modules.json') };
    expect(faultsOf(env)).toEqual([expect.stringMatching(/^PORCHLIGHT_MODULES_FILE /)]);
  });

  test('N21: a key that is unknown is left out, with a warning that names it and its value nowhere', () => {
    const later = { ...module, logniUrl: 'canary' };
    const known = read([module]);
    const { warnings, ...rest } = read([later]);
    expect(rest).toEqual({ ...known, warnings: undefined });
    expect(warnings).toEqual([expect.stringMatching(/^0: .*logniUrl\. Did you mean loginUrl\?$/)]);
  });

  test('a sealed credential needs a public RSA key, and a private one is never published', () => {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const [open, whole] = [pair.publicKey, pair.privateKey].map((key) =>
      key.export({ format: 'jwk' }),
    );
    expect(read([{ ...module, sealedTo: open }]).modules[0]?.sealedTo).toEqual(open);
    expect(read([{ ...module, sealedTo: whole }]).faults.join()).toContain('holds a private key');
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
    const wrong = read([{ ...module, sealedTo: ec.export({ format: 'jwk' }) }]);
    expect(wrong.faults.join()).toContain('0.sealedTo.kty: must be an RSA key');
  });

  test('a missing file is one clear sentence', () => {
    expect(readModules('/nowhere/modules.json', { isDemo: true }).faults.map(faultText)).toEqual([
      expect.stringMatching(/^\/nowhere/),
    ]);
  });
});

test('[HLP-02] the hours of the help line are read by the clock of a zone, which they need', () => {
  const hours = 'Mon-Fri 8:00-18:00';
  const zone = { PORCHLIGHT_TIME_ZONE: 'America/New_York' };
  const read = (env: NodeJS.ProcessEnv) => loadConfig(env).helpHours;
  expect(read({})).toBeNull();
  expect(read({ ...zone, PORCHLIGHT_HELP_HOURS: hours })).toEqual({
    spans: [{ firstDay: 0, lastDay: 4, from: 480, to: 1080 }],
    timeZone: 'America/New_York',
  });
  expect(() => read({ PORCHLIGHT_HELP_HOURS: hours })).toThrow(
    /PORCHLIGHT_HELP_HOURS needs PORCHLIGHT_TIME_ZONE/,
  );
  expect(() => read({ ...zone, PORCHLIGHT_HELP_HOURS: 'nine to five' })).toThrow(
    /PORCHLIGHT_HELP_HOURS: must be like Mon-Fri 8:00-18:00, Sat 9:00-12:00/,
  );
});

test('[V16] mails tell a clock time only in the zone that the operator names', () => {
  expect(loadConfig({}).timeZone).toBeNull();
  const env = { PORCHLIGHT_TIME_ZONE: 'America/New_York' };
  expect(loadConfig(env).timeZone).toBe('America/New_York');
  expect(() => loadConfig({ PORCHLIGHT_TIME_ZONE: 'Mars/Olympus' })).toThrow(
    /PORCHLIGHT_TIME_ZONE: is no time zone/,
  );
});

describe('[API-04] a real tenant', () => {
  const tenant = {
    PORCHLIGHT_HOSTED_LOGIN_DOMAIN: 'login.example.org',
    PORCHLIGHT_HOSTED_LOGIN_CLIENT_ID: 'portal',
    PORCHLIGHT_HOSTED_LOGIN_BACKEND_CLIENT_ID: 'backend',
    PORCHLIGHT_HOSTED_LOGIN_BACKEND_CLIENT_SECRET: 'a secret of sixteen characters',
  };

  test('without its settings the hosted login is the embedded one', () => {
    expect(loadConfig(demo).tenant).toBeNull();
  });

  test('[APP-01] app codes are off there, in words; else on in a demo, and off in production', () => {
    const on = { PORCHLIGHT_APP_CODES: 'on' };
    const { config, warnings } = readConfig({ ...demo, ...tenant, ...on });
    expect(config?.offersAppCodes).toBe(false);
    expect(warnings.join()).toContain('with an Auth0 tenant the tenant asks for them');
    expect(loadConfig(demo).offersAppCodes).toBe(true);
    expect(loadConfig(production).offersAppCodes).toBe(false);
    expect(loadConfig({ ...production, ...on }).offersAppCodes).toBe(true);
  });

  test('needs a domain and two clients, and takes Auth0’s names for the rest', () => {
    expect(loadConfig({ ...demo, ...tenant }).tenant).toEqual({
      base: 'https://login.example.org/',
      issuer: 'https://login.example.org/',
      clientId: 'portal',
      realm: 'Username-Password-Authentication',
      audience: null,
      organization: null,
      backend: {
        base: 'https://login.example.org/',
        clientId: 'backend',
        clientSecret: 'a secret of sixteen characters',
      },
    });
  });

  test('behind a custom domain the backend goes to the tenant itself', () => {
    const config = loadConfig({
      ...demo,
      ...tenant,
      PORCHLIGHT_HOSTED_LOGIN_TENANT_DOMAIN: 'https://porch.eu.auth0.com/',
      PORCHLIGHT_HOSTED_LOGIN_ISSUER: 'https://porch.eu.auth0.com/',
      PORCHLIGHT_HOSTED_LOGIN_ORGANIZATION: 'org_1',
      PORCHLIGHT_HOSTED_LOGIN_AUDIENCE: 'urn:porchlight',
      PORCHLIGHT_HOSTED_LOGIN_REALM: 'members',
    });
    expect(config.tenant).toMatchObject({
      base: 'https://login.example.org/',
      issuer: 'https://porch.eu.auth0.com/',
      organization: 'org_1',
      audience: 'urn:porchlight',
      realm: 'members',
      backend: { base: 'https://porch.eu.auth0.com/' },
    });
  });

  test('half of one is told with all that is missing', () => {
    const { PORCHLIGHT_HOSTED_LOGIN_DOMAIN: domain } = tenant;
    expect(faultsOf({ PORCHLIGHT_HOSTED_LOGIN_DOMAIN: domain })).toEqual([
      'PORCHLIGHT_HOSTED_LOGIN_CLIENT_ID is required with PORCHLIGHT_HOSTED_LOGIN_DOMAIN',
      'PORCHLIGHT_HOSTED_LOGIN_BACKEND_CLIENT_ID is required with PORCHLIGHT_HOSTED_LOGIN_DOMAIN',
      'PORCHLIGHT_HOSTED_LOGIN_BACKEND_CLIENT_SECRET is required with PORCHLIGHT_HOSTED_LOGIN_DOMAIN',
    ]);
    expect(faultsOf({ ...tenant, PORCHLIGHT_HOSTED_LOGIN_DOMAIN: '' })).toHaveLength(3);
  });

  test.each([
    ['DOMAIN', 'http://login.example.org'],
    ['DOMAIN', 'http://localhost.example.org'],
    ['DOMAIN', 'https://login.example.org/?x=1'],
    ['TENANT_DOMAIN', 'http://porch.eu.auth0.com'],
    ['ISSUER', 'porch.eu.auth0.com'],
    ['BACKEND_CLIENT_SECRET', 'short'],
  ])('%s=%s is named, and the secret is not', (name, value) => {
    const faults = faultsOf({ ...tenant, [`PORCHLIGHT_HOSTED_LOGIN_${name}`]: value });
    expect(faults).toEqual([expect.stringContaining(`PORCHLIGHT_HOSTED_LOGIN_${name}`)]);
    expect(faults.join()).not.toContain(tenant.PORCHLIGHT_HOSTED_LOGIN_BACKEND_CLIENT_SECRET);
  });

  test('plain http only to this machine', () => {
    const here = { ...tenant, PORCHLIGHT_HOSTED_LOGIN_DOMAIN: 'http://login.porch.localhost:9' };
    expect(loadConfig({ ...demo, ...here }).tenant?.base).toBe('http://login.porch.localhost:9/');
  });
});
