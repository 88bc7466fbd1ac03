import type { Page } from '@playwright/test';

// What goes wrong, and what takes its time, between the page and the server.

/** Calls to the path never end. */
export async function hold(page: Page, path: string): Promise<void> {
  await page.route(`**${path}`, () => undefined);
}

/** Calls to the path find no server. */
export async function cut(page: Page, path: string): Promise<void> {
  await page.route(`**${path}`, (route) => route.abort());
}

/** Calls to the path are answered with a status and an envelope (WIR-01). */
export async function answer(
  page: Page,
  path: string,
  { status = 200, errorFlag = null, messages = [], headers = {} }: Refusal,
): Promise<void> {
  const json = { succeeded: false, data: null, messages, errorFlag };
  await page.route(`**${path}`, (route) => route.fulfill({ status, headers, json }));
}

type Refusal = {
  readonly status?: number;
  readonly errorFlag?: string | null;
  readonly messages?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
};

/** The server's own answer, with other data in it. */
export async function change<T>(page: Page, path: string, to: (data: T) => T): Promise<void> {
  await page.route(`**${path}`, async (route) => {
    try {
      const response = await route.fetch();
      const envelope = (await response.json()) as { readonly data: T };
      await route.fulfill({ response, json: { ...envelope, data: to(envelope.data) } });
    } catch (error) {
      // A call that is under way when the test ends has nobody any more to answer to.
      if (!/disposed|has been closed|Test ended/.test(String(error))) throw error;
    }
  });
}

/** What the page asks, with other words in it. */
export async function reword(
  page: Page,
  path: string,
  to: (body: Readonly<Record<string, unknown>>) => unknown,
): Promise<void> {
  await page.route(`**${path}`, (route) => {
    const body = route.request().postDataJSON() as Record<string, unknown>;
    return route.continue({ postData: JSON.stringify(to(body)) });
  });
}
