/** An organisation of a test, and people that its directory keeps. */

import { addOrganisation, makeBearer } from '../organisations/organisation-operations.ts';
import { adminContextOf } from './admin-context.ts';
import type { TestApp } from './test-app.ts';

export const ROSEWOOD = {
  id: 'rosewood-staff',
  subtenantId: 742,
  label: 'Rosewood',
  issuer: 'https://login.microsoftonline.com/8c0d2f66-1111-2222-3333-444455556666/v2.0',
  clientId: 'porchlight',
  clientSecret: 'a secret of the organization',
  subject: 'oid',
  roles: [3, 6, 16],
  domains: ['rosewood.example'],
  roleMap: { counter: 6, sales: 16 },
  on: true,
};

/** Adds an organisation. @returns the bearer of its directory */
export async function addRosewood(testApp: TestApp, change: object = {}): Promise<string> {
  const entry = { ...ROSEWOOD, ...change };
  const context = adminContextOf(testApp);
  await addOrganisation(context, entry);
  return makeBearer(context, entry.id);
}

let subjects = 0;
/** Makes an account one that the directory keeps. */
export async function keepAccount({ db, clock }: TestApp, userId: number): Promise<void> {
  const link = {
    issuer: ROSEWOOD.issuer,
    subject: `kept-${(subjects += 1)}`,
    organisation_id: ROSEWOOD.id,
    user_id: userId,
    shown_name: '',
    made_by: 'scim',
    made_at: clock.now(),
    scim_id: crypto.randomUUID(),
  } as const;
  await db.insertInto('organisation_links').values(link).execute();
}
