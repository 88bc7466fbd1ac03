import { expect, test } from 'vitest';
import { isRpIdFor, rpIdOf } from '#domain/proofs/rp-id.ts';
import { keyConfig, keyFaults } from '../../config/key-config.ts';
import { createTestContext } from '../../testing/test-app.ts';
import { refuseOtherDomain } from './key-domain.ts';

const keys = (rpId: string, acceptsChange = false) => ({ rpId, isAutomatic: false, acceptsChange });

test.each([
  ['https://login.example.org', 'login.example.org'],
  ['http://localhost:3000', 'localhost'],
  ['http://127.0.0.1:3000', null],
  ['https://[::1]', null],
  ['http://login.example.org', null],
])('[KEY-13] keys at %s belong to %s', (url, rpId) => {
  expect(rpIdOf(url)).toBe(rpId);
});

test.each([
  ['example.org', true],
  ['login.example.org', true],
  ['org', false],
  ['evil-example.org', false],
  ['other.example.org', false],
])('[KEY-13] %s may be the domain of login.example.org: %s', (rpId, is) => {
  expect(isRpIdFor('https://login.example.org', rpId)).toBe(is);
  const given = { PORCHLIGHT_RP_ID: rpId, PORCHLIGHT_PUBLIC_URL: 'https://login.example.org' };
  expect(keyFaults(given, (name) => name)).toHaveLength(is ? 0 : 1);
});

test('[KEY-13] with an Auth0 tenant keys are off', () => {
  const values = {
    PORCHLIGHT_KEYS: 'on',
    PORCHLIGHT_KEYS_AUTOMATIC: 'off',
    PORCHLIGHT_RP_ID_CHANGE: 'refuse',
  } as const;
  const url = 'https://login.example.org';
  expect(keyConfig(values, url)?.rpId).toBe('login.example.org');
  const tenant = { ...values, PORCHLIGHT_HOSTED_LOGIN_DOMAIN: 'https://tenant.test/' };
  expect(keyConfig(tenant, url)).toBeNull();
});

test(
  '[KEY-13] a start with another domain is refused while keys are on record, unless it is accepted',
  { tags: 'long' },
  async () => {
    const { db, database, clock } = await createTestContext();
    const now = clock.now();
    await refuseOtherDomain(db, keys('new.test'));
    await db.insertInto('key_domain').values({ rp_id: 'old.test' }).execute();
    await refuseOtherDomain(db, keys('new.test'));
    await db
      .insertInto('subtenants')
      .values({ id: 742, name: 'Rosewood', logo_path: '' })
      .execute();
    const [user] = await db
      .insertInto('users')
      .values({
        id: 7,
        email: 'a@b.test',
        email_canonical: 'a@b.test',
        first_name: 'Ada',
        last_name: 'Winslow',
        dial_code: '',
        mobile: '',
        status: 'active',
        sign_up_platform: 1,
        subtenant_id: 742,
        created_at: now,
      } as never)
      .returning('id')
      .execute();
    await db
      .insertInto('saved_keys')
      .values({
        credential_id: 'one',
        user_id: user?.id ?? 0,
        public_key: '',
        counter: 0,
        transports: [],
        is_syncable: false,
        is_synced: false,
        aaguid: '',
        name: 'iPad',
        rp_id: 'old.test',
        added_at: now,
      })
      .execute();
    await expect(refuseOtherDomain(db, keys('new.test'))).rejects.toThrow(
      '1 saved keys are on record',
    );
    await refuseOtherDomain(db, keys('old.test'));
    await refuseOtherDomain(db, null);
    await refuseOtherDomain(db, keys('new.test', true));
    await refuseOtherDomain(db, keys('new.test'));
    await database.close();
  },
);
