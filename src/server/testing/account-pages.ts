import { randomUUID } from 'node:crypto';
import type { AccountData } from '#contract/my-account.ts';
import { PASSWORD, type TestApp, type Visitor } from './test-app.ts';

/** The pages of My account, as a browser opens and sends them. */
export function createAccountPages(appOf: () => TestApp) {
  /** Signs a new person up, and in. */
  async function signedIn(email = `me-${randomUUID()}@account.test`) {
    const { userId } = await appOf().visitor().register({ emailAddress: email });
    return { email, userId, visitor: await signInAgain(email) };
  }

  async function signInAgain(email: string, password = PASSWORD): Promise<Visitor> {
    const visitor = appOf().visitor();
    await visitor.signIn(email, password);
    return visitor;
  }

  /** Returns the data that a page of My account was drawn with. */
  async function read(response: Response): Promise<AccountData> {
    const [, json = 'null'] = /id="boot">(.*?)<\/script>/s.exec(await response.text()) ?? [];
    return (JSON.parse(json) as { account: AccountData }).account;
  }

  const open = async (visitor: Visitor, path: string) => read(await visitor.request(path));

  const send = (visitor: Visitor, fields: Record<string, string>, path: string) =>
    visitor.request(path, {
      method: 'POST',
      body: new URLSearchParams({ action: 'form', once: randomUUID(), ...fields }),
    });

  /** Sends a form that is refused. @returns the first problem that the page shows */
  async function refused(visitor: Visitor, fields: Record<string, string>, path: string) {
    const { problems } = await read(await send(visitor, fields, path));
    return Object.values(problems)[0]?.message;
  }

  /** Returns the messages to an address or a number, the newest first. */
  async function mailsTo(to: string) {
    await appOf().app.outbox.settle();
    return appOf().inbox(to);
  }

  const rowOf = (id: number) =>
    appOf().db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();

  return { signedIn, signInAgain, read, open, send, refused, mailsTo, rowOf };
}
