/** Members and helpers on the pages of My account. */

import { expect } from 'vitest';
import type { AccountData } from '#contract/my-account.ts';
import { PASSWORD, type TestApp } from './test-app.ts';
import type { Visitor } from './visitor.ts';

const HELPERS = '/account/me/helpers';
export const PEOPLE = '/account/me/people';

export type Someone = {
  readonly email: string;
  readonly userId: number;
  readonly visitor: Visitor;
};

let count = 0;
/** Returns a number that no other call returned. */
export const next = () => (count += 1);

/** Returns what members and helpers do on a server whose pages are drawn. */
export function createHelperPeople(testAppOf: () => TestApp) {
  /** An active account, signed in just now. */
  async function someone(firstName: string, lastName = 'Castellanos'): Promise<Someone> {
    const email = `${firstName.toLowerCase()}-${next()}@helper.test`;
    const { userId } = await testAppOf()
      .visitor()
      .register({ emailAddress: email, userName: email, firstName, lastName });
    return again({ email, userId });
  }

  /** The same person, signed in anew. */
  async function again({ email, userId }: Omit<Someone, 'visitor'>): Promise<Someone> {
    const visitor = testAppOf().visitor();
    await visitor.signIn(email, PASSWORD);
    return { email, userId, visitor };
  }

  async function dataIn(response: Response): Promise<AccountData> {
    const [, json = 'null'] = /id="boot">(.*?)<\/script>/s.exec(await response.text()) ?? [];
    return (JSON.parse(json) as { account: AccountData }).account;
  }

  const read = async ({ visitor }: Someone, path: string) => dataIn(await visitor.request(path));

  const send = ({ visitor }: Someone, path: string, fields: Record<string, string>) =>
    visitor.request(path, {
      method: 'POST',
      body: new URLSearchParams({ action: 'form', once: `form-${next()}`, ...fields }),
    });

  const name = (member: Someone, helperEmail: string, relation = 'my daughter') =>
    send(member, HELPERS, { helperEmail, relation });

  const end = (member: Someone, id: string) => send(member, HELPERS, { end: id });

  const helpersOf = async (member: Someone) => (await read(member, HELPERS)).helpers;
  const peopleOf = async (helper: Someone) => (await read(helper, PEOPLE)).people;

  /** Sends a form of 'People you help'. @returns what the next page says */
  async function act(helper: Someone, help: string, wish: string): Promise<string> {
    const response = await send(helper, PEOPLE, { help, do: wish });
    const page = new URL(response.headers.get('location') ?? '/', 'http://x');
    return page.searchParams.get('said') ?? '';
  }

  /** A member and her helper, who said yes. */
  async function pair() {
    const [member, helper] = [await someone('Ruth'), await someone('Elena')];
    await name(member, helper.email);
    const id = (await peopleOf(helper))[0]?.id ?? '';
    expect(await act(helper, id, 'accept')).toBe('accepted');
    return { member, helper, id };
  }

  /** The subjects of the mails to a person, the newest first, without the sender's name. */
  const subjects = async ({ email }: Pick<Someone, 'email'>) =>
    (await testAppOf().inbox(email)).map(({ subject }) => subject.replace(/^.*?: /, ''));

  const eventsOf = ({ userId }: Pick<Someone, 'userId'>, kind: string) =>
    testAppOf()
      .db.selectFrom('audit_events')
      .select(['actor', 'reason', 'details'])
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .orderBy('id')
      .execute();

  return {
    someone,
    again,
    dataIn,
    send,
    name,
    end,
    helpersOf,
    peopleOf,
    act,
    pair,
    subjects,
    eventsOf,
  };
}
