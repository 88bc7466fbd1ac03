import { expect, test } from 'vitest';
import { endHelpers } from '../helpers/helpers.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';
import { createTestApp } from '../testing/test-app.ts';
import { adminContextOf } from '../testing/admin-context.ts';

const testApp = closeAtEnd(await createTestApp());

test('a command that mails nothing needs no file of a logo', async () => {
  const config = { ...testApp.config, logosDirectory: '/no/such/folder' };
  const context = adminContextOf({ ...testApp, config });
  await expect(endHelpers(context, context.db, { ids: [], by: 'operator' })).resolves.toBe(0);
});
