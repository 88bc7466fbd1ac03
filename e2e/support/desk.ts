import { createVisitor } from '../../src/server/testing/visitor.ts';

type At = { readonly url: string; readonly code: (email: string) => Promise<string> };

/** Asks for another address of a member, as a staff member of the console does; the new mailbox gets the link. */
export async function askForAddress(
  { url, code }: At,
  staff: string,
  { email, wanted }: { readonly email: string; readonly wanted: string },
): Promise<void> {
  const visitor = await signedIn({ url, code }, staff);
  const read = async (path: string) => (await visitor.request(path)).text();
  const found = await read(`/console?q=${encodeURIComponent(email)}`);
  const path = `${/\/console\/people\/\d+/.exec(found)?.[0] ?? ''}/correctEmail`;
  const form = await read(path);
  const field = (name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? '';
  const body = new URLSearchParams({
    xsrf: field('xsrf'),
    once: field('once'),
    email: wanted,
    how: 'called',
  });
  const answer = await visitor.request(path, { method: 'POST', body });
  if (answer.status !== 303) throw new Error(`No change was asked for: ${answer.status}`);
}

const TRIES = 6;

/** Signs staff in. Another test may do the same at this moment, and only the newest code of an account is right. */
async function signedIn({ url, code }: At, staff: string) {
  for (let tries = 1; ; tries += 1) {
    const visitor = createVisitor({ url, codeFor: code });
    try {
      await visitor.signIn(staff);
      return visitor;
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
}
