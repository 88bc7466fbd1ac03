import { expect, test } from 'vitest';
import { createTestApp, type Visitor } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp());

const ask = (visitor: Visitor, subtenantId: number) =>
  visitor.call('getSubtenant', { body: { subtenantId, isActive: true } });
const known = async (visitor: Visitor) => (await visitor.call('getVisit', {})).data?.subtenantId;

test('[GEN-03] [GEN-11] a subtenant’s name and logo, on our own origin', async () => {
  const answer = await ask(testApp.visitor(), 900);
  expect(answer.data).toEqual([
    {
      subtenantId: 900,
      subtenantLogoUrl: '/logos/900.svg',
      subtenantName: 'Harbor Point Care',
      accent: '#8A3B12',
    },
  ]);
});

test('[GEN-04] once known, a subtenant never falls back to the default', async () => {
  const visitor = testApp.visitor();
  await ask(visitor, 742);
  expect(await known(visitor)).toBe(742);
  await ask(visitor, 3);
  await ask(visitor, 742);
  expect(await known(visitor)).toBe(3);
  await ask(visitor, 900);
  expect(await known(visitor)).toBe(900);
});

test('[GEN-04] an unknown or closed one is told and not kept', async () => {
  const visitor = testApp.visitor();
  await testApp.db
    .updateTable('subtenants')
    .set({ is_active: false })
    .where('id', '=', 900)
    .execute();
  for (const id of [77, 900]) {
    const answer = await ask(visitor, id);
    expect([answer.succeeded, answer.data, answer.errorFlag]).toEqual([
      false,
      [],
      'INVALID_SUBTENANT',
    ]);
  }
  expect(await known(visitor)).toBeNull();
});
