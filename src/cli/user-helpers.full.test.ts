/** [HLP-18] An operator sees the helpers of a person, and ends one. */

import { expect, test } from 'vitest';
import { createAudit } from '#server/audit/audit.ts';
import { createSecretBox } from '#server/crypto/secret-box.ts';
import { createHelperPeople } from '#server/testing/helper-people.ts';
import { operate as run } from '#server/testing/operate.ts';
import { createTestAppWithPages, SECRET } from '#server/testing/test-app.ts';
import { closeAtEnd } from '#server/testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestAppWithPages({}));

const { pair, someone, name, act, subjects, eventsOf } = createHelperPeople(() => testApp);

async function operate(...words: string[]) {
  const { db, clock, config } = testApp;
  const audit = createAudit({ db, clock, actor: 'operator:test' });
  return run({ db, clock, config, secretBox: createSecretBox(SECRET), audit }, ...words);
}

test('[HLP-18] lists the helpers of a person, and whom the person helps', async () => {
  const { member, helper, id } = await pair();
  await name(member, 'asked@cli.test', 'a neighbor');
  expect((await operate('user', 'helpers', member.email)).data).toMatchObject([
    { id, who: 'helper', name: 'Elena Castellanos', relation: 'my daughter', state: 'helping' },
    { who: 'helper', name: 'asked@cli.test', relation: 'a neighbor', state: 'asked' },
  ]);
  expect((await operate('user', 'helpers', helper.email)).data).toMatchObject([
    { id, who: 'helps', name: 'Ruth Castellanos', state: 'helping' },
  ]);
  expect((await operate('support', member.email)).text).toContain(
    'Trusted helpers: Elena Castellanos (helping), asked@cli.test (asked).',
  );
});

test('[HLP-18] ends one, with its event, and both are told', async () => {
  const { member, helper, id } = await pair();
  const stranger = await someone('Theo');
  const end = (word: string) => operate('user', 'end-helper', word, '--helper', id);
  await expect(end(stranger.email)).rejects.toThrow(`has no helper ${id} now`);
  expect((await end(member.email)).data).toEqual({ id: member.userId, helper: id });
  expect(await eventsOf(member, 'helper.ended')).toMatchObject([
    { actor: 'operator:test', details: { helper: id, by: 'operator' } },
  ]);
  expect(await act(helper, id, 'reset')).toBe('over');
  await expect
    .poll(async () => (await subjects(member)).join())
    .toMatch(/A helper no longer helps you/);
  await expect.poll(async () => (await subjects(helper)).join()).toMatch(/Your help has ended/);
  await expect(end(member.email)).rejects.toThrow('now');
  expect((await operate('support', member.email)).text).not.toContain('Trusted helpers');
});
