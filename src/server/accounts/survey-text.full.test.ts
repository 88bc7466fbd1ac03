import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSurvey } from '../catalog/survey-export.ts';
import { reEncrypt } from '../crypto/re-encrypt.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { createTestApp, SECRET, type TestApp, type Visitor } from '../testing/test-app.ts';
import { moveSurveyAnswers } from './registration-store.ts';

const TEXT = 'Dr. Marigold, after my stroke';
const NEW_SECRET = 'the second secret of these tests, long enough';

let testApp: TestApp;
beforeEach(async () => {
  testApp = await createTestApp({ limitFactor: 50 });
});
afterEach(() => testApp.close());

const secretBox = createSecretBox(SECRET);
const exported = async (box = secretBox) => {
  const rows = await readSurvey({ db: testApp.db, secretBox: box });
  return rows.map(({ text }) => text);
};
const write = async (visitor: Visitor, userId: number, text: string) => {
  const answer = { userId: String(userId), userSubjectDataId: '', responseId: '419' };
  await visitor.ok('saveSurvey', {
    body: [{ ...answer, subjectId: '217', subResponseData: text }],
  });
};
const ownOf = async (visitor: Visitor, userId: number) => {
  const rows = await visitor.ok('getOwnSurvey', { params: { userId: String(userId) } });
  return rows.map(({ subResponseData }) => subResponseData);
};

/** Whose form waits for its code, with this text in it. */
async function waiting(text = TEXT) {
  const emailAddress = 'survey-text@example.test';
  const visitor = testApp.visitor();
  const userId = (await visitor.signUp({ emailAddress })).data?.userId ?? 0;
  await write(visitor, userId, text);
  return { visitor, userId, emailAddress };
}

describe('[R53] [SEC-13] what people wrote in the survey', () => {
  test('is in no row while the form waits for its code, nor after; its person and the export read it', async () => {
    const { visitor, userId, emailAddress } = await waiting();
    expect(await testApp.dump()).not.toContain('Marigold');
    expect(await ownOf(visitor, userId)).toEqual([TEXT]);
    expect(await exported()).toEqual([TEXT]);

    await visitor.register({ emailAddress });
    expect(await testApp.dump()).not.toContain('Marigold');
    expect(await ownOf(visitor, userId)).toEqual([TEXT]);
    expect(await exported()).toEqual([TEXT]);

    await write(visitor, userId, 'Ms. Periwinkle');
    expect(await testApp.dump()).not.toContain('Periwinkle');
    expect(await ownOf(visitor, userId)).toEqual(['Ms. Periwinkle']);
    await write(visitor, userId, '');
    expect(await exported()).toEqual(['']);
  });

  test('takes the place of what its account had written before', async () => {
    const first = await waiting();
    await first.visitor.register({ emailAddress: first.emailAddress });
    const { user_id: owner } = await testApp.db
      .selectFrom('survey_answers')
      .select('user_id')
      .executeTakeFirstOrThrow();
    expect(owner).toBe(first.userId);
    const { id } = await testApp.db
      .selectFrom('registrations')
      .select('id')
      .orderBy('created_at')
      .executeTakeFirstOrThrow();
    await testApp.db
      .insertInto('survey_answers')
      .values({
        id: crypto.randomUUID(),
        user_id: null,
        registration_id: id,
        subject_id: 217,
        response_id: 419,
        sub_response: '',
        sealed_text: secretBox.encrypt('survey-answer', 'a later form'),
        created_at: testApp.clock.now(),
      })
      .execute();
    await testApp.db
      .transaction()
      .execute((transaction) => moveSurveyAnswers(transaction, id, first.userId));
    expect(await exported()).toEqual(['a later form']);
  });

  test('is carried over to a new secret', async () => {
    await waiting();
    const both = createSecretBox(NEW_SECRET, [SECRET]);
    expect(await reEncrypt({ db: testApp.db, secretBox: both })).toMatchObject({ lost: 0 });
    expect(await exported(createSecretBox(NEW_SECRET))).toEqual([TEXT]);
  });

  test('that no secret opens is said, and not left out', async () => {
    await waiting();
    await expect(exported(createSecretBox(NEW_SECRET))).rejects.toThrow('PORCHLIGHT_SECRET');
  });
});
