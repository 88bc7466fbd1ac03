import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ACCOUNT_DATA_PATHS } from '#contract/routes.ts';
import { textsIn, type Texts } from '#locales/catalogue.ts';
import { isLanguage, ORIGINAL } from '#locales/languages.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { findActiveAccount } from '../accounts/account-store.ts';
import { exportPerson, type PersonalExport } from '../people/privacy/export.ts';
import type { ServerContext } from '../core/context.ts';
import type { SharedDevices } from '../counter/shared-devices.ts';
import { PLAIN_PAGE_POLICY } from '../http/headers.ts';
import { dataPage } from './data-page.ts';
import type { PagePerson } from './page-person.ts';
import type { MyAccount } from './my-account.ts';

type Deps = {
  readonly pagePerson: Pick<PagePerson, 'loginOf'>;
  readonly myAccount: Pick<MyAccount, 'isFreshIn'>;
  /** A file would stay on a shared device. */
  readonly sharedDevices: Pick<SharedDevices, 'isShared'>;
};

/** Installs the person's own data, as a page to read and as files to keep (ACC-10). */
export function installAccountData(
  app: FastifyInstance,
  context: ServerContext,
  { pagePerson, myAccount, sharedDevices }: Deps,
): void {
  type Write = (found: PersonalExport, texts: Texts) => string;

  async function give(
    request: FastifyRequest,
    reply: FastifyReply,
    { type, name, write }: { type: string; name: string; write: Write },
  ): Promise<FastifyReply> {
    const { cookies } = request;
    const login = await pagePerson.loginOf(cookies);
    // Its page asks for the sign-in or the code, and comes back.
    const isAllowed =
      login &&
      (await myAccount.isFreshIn(login, { byAnyCode: true })) &&
      !(await sharedDevices.isShared(cookies));
    if (!isAllowed) return reply.redirect(pathOf('myData'), 303);
    const id = login.loggedInUserId;
    const account = await findActiveAccount(context.db, id);
    const found = await exportPerson(context, id);
    if (!account || !found) return reply.redirect(pathOf('myData'), 303);
    const isFile = (request.query as { file?: string }).file !== undefined;
    if (isFile) reply.header('content-disposition', `attachment; filename="${name}"`);
    return reply
      .header('cache-control', 'no-store')
      .header('content-security-policy', PLAIN_PAGE_POLICY)
      .type(type)
      .send(write(found, textsIn(isLanguage(account.language) ? account.language : ORIGINAL)));
  }

  app.get(ACCOUNT_DATA_PATHS.json, (request, reply) =>
    give(request, reply, {
      type: 'application/json; charset=utf-8',
      name: 'my-data.json',
      write: (found) => JSON.stringify(found, null, 2),
    }),
  );
  app.get(ACCOUNT_DATA_PATHS.html, (request, reply) =>
    give(request, reply, {
      type: 'text/html; charset=utf-8',
      name: 'my-data.html',
      write: (found, texts) => dataPage(found, texts, context.config.timeZone),
    }),
  );
}
