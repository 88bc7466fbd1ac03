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
  await sendForm(visitor, path, { email: wanted });
}

/** Invites a person to the house of a staff member, who gets a mail. */
export async function inviteBy(
  at: At,
  staff: string,
  person: { readonly email: string; readonly role: string },
): Promise<void> {
  const visitor = await signedIn(at, staff);
  await sendForm(visitor, '/console/invite', { firstName: 'Sam', lastName: 'Hale', ...person });
}

async function sendForm(
  visitor: Awaited<ReturnType<typeof signedIn>>,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  const form = await (await visitor.request(path)).text();
  const field = (name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? '';
  const own = { xsrf: field('xsrf'), once: field('once'), how: 'called' };
  const body = new URLSearchParams({ ...own, ...fields });
  const answer = await visitor.request(path, { method: 'POST', body });
  if (answer.status !== 303) throw new Error(`The form was refused: ${answer.status}`);
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
