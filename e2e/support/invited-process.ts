/** The server, with people whom somebody else invited: they have no password yet. `TEST_INVITED` holds their addresses. */

import { insertAccounts, personalDataOf } from '../../src/server/accounts/account-store.ts';
import { insertRegistration } from '../../src/server/accounts/registration-store.ts';
import { serve } from '../../src/server/wiring/serve.ts';
import { createClock } from '../../src/server/core/clock.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { openConfigured } from '../../src/server/db/database.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import { seedDemo } from '../../src/server/demo/seed.ts';
import { createHashing } from '../../src/server/proofs/password/hashing.ts';

/** Its accounts get their password here (OTP-10). */
const OTHER_PLATFORM = 5;
const SUBTENANT = 742;

const config = loadConfig(process.env);
const { db, close } = await openConfigured(config);
await migrate(db);
const clock = createClock();
await seedDemo(db, clock, createHashing().hash);
const created_at = clock.now();
const people = (process.env.TEST_INVITED ?? '').split(' ').map((email) => ({
  email,
  first_name: 'Nora',
  last_name: 'Lind',
  dial_code: '+1',
  mobile: '5550142277',
  subtenant_id: SUBTENANT,
  sign_up_platform: OTHER_PLATFORM,
  created_at,
}));
for (const account of await insertAccounts(db, people)) {
  await insertRegistration(db, {
    ...personalDataOf(account),
    password_hash: null,
    user_id: account.id,
    visit_id: null,
    role_id: 1,
    subtenant_id: SUBTENANT,
    promo_code: null,
    mode: 'VERIFY_OTP',
    created_at,
    completed_at: null,
  });
}
await close();
await serve(config);
