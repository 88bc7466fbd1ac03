import type { Db } from '../db/database.ts';
import { DEMO_ACCOUNTS, DEMO_PASSWORD, demoEmail } from './seed.ts';

const NOTES = { pending: 'never verified', inactive: 'switched off' } as const;

/** What a newcomer needs after the first start: accounts, password, addresses. A restored database may have other accounts. */
export async function demoSummary(db: Db, url: string): Promise<string> {
  const emails = DEMO_ACCOUNTS.map(({ name }) => demoEmail(name));
  const found = await db
    .selectFrom('users')
    .select('email')
    .where('email_canonical', 'in', emails)
    .execute();
  const there = new Set(found.map(({ email }) => email));
  const known = DEMO_ACCOUNTS.filter(({ name }) => there.has(demoEmail(name)));
  const accounts = known.map(({ name, roles, status }) => {
    const note = status ? ` (${NOTES[status]})` : '';
    return `  ${demoEmail(name).padEnd(44)} roles ${roles.join(', ')}${note}`;
  });
  const places: readonly (readonly [string, string])[] = [
    ['Sign in', `${url}/account/signin`],
    ['Sign up', `${url}/account/signup`],
    ['Free trial', `${url}/account/StartFreeTrial?subtenantId=3`],
    ['Staff', `${url}/legal-staff/signin`],
    ['Third party', `${url}/demo/relying-party`],
    ['Inbox for codes', `${url}/dev/inbox`],
    ['Every mail', `${url}/dev/mails`],
    ['API description', `${url}/api/openapi.json`],
  ];
  const addresses = places.map(([label, address]) => `  ${label.padEnd(16)} ${address}`);
  return [
    known.length > 0
      ? `Demo accounts, password ${DEMO_PASSWORD}:`
      : 'This database has no demo accounts: sign in with one that it has, or sign up.',
    ...accounts,
    '',
    'Addresses:',
    ...addresses,
  ].join('\n');
}
