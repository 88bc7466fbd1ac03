/** The demo, with an organisation whose provider is at `TEST_ISSUER`; the staff member of the demo is linked to it. */

import { createAudit } from '../../src/server/audit/audit.ts';
import { insertLink } from '../../src/server/accounts/organisation-links.ts';
import { findAccountByEmail } from '../../src/server/accounts/account-store.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { createClock } from '../../src/server/core/clock.ts';
import { openConfigured } from '../../src/server/db/database.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import { demoEmail, seedDemo } from '../../src/server/demo/seed.ts';
import { addOrganisation } from '../../src/server/organisations/organisation-operations.ts';
import { inviteNew } from '../../src/server/people/people.ts';
import { createHashing } from '../../src/server/proofs/password/hashing.ts';
import { adminContextOf } from '../../src/server/testing/admin-context.ts';
import { ORGANISATION_SECRET } from '../../src/server/testing/organisation-provider.ts';
import { serve } from '../../src/server/wiring/serve.ts';

const config = loadConfig(process.env);
const { db, close } = await openConfigured(config);
await migrate(db);
const clock = createClock();
await seedDemo(db, clock, createHashing().hash);
const issuer = process.env.TEST_ISSUER ?? '';
const context = adminContextOf({ db, clock, config, audit: createAudit({ db, clock }) });
await addOrganisation(
  context,
  {
    id: 'rosewood',
    subtenantId: 742,
    label: 'Rosewood',
    issuer,
    clientId: 'porchlight',
    clientSecret: ORGANISATION_SECRET,
    roles: [1, 3],
    helpName: 'Nora Lind at the front desk',
    helpPhone: '+1 555 010 0177',
    on: true,
  },
  { evenSo: true },
);
const staff = await findAccountByEmail(db, demoEmail('staff'));
await insertLink(db, {
  issuer,
  subject: 'person-1',
  organisation_id: 'rosewood',
  user_id: staff?.id ?? 0,
  shown_name: 'person-1@rosewood.example',
  made_by: 'account',
  made_at: clock.now(),
});
for (const email of ['invited-1@rosewood.example', 'invited-2@rosewood.example']) {
  const person = { email, firstName: 'Ada', lastName: 'Moss', phone: '', subtenantId: 742 };
  await inviteNew(context, { ...person, roleIds: [3] });
}
await close();
await serve(config);
