import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { LANGUAGE_QUERY } from '#domain/text/language-choice.ts';
import { isLanguage, ORIGINAL } from '#locales/languages.ts';
import { DEFAULT_SUBTENANT_ID, parseSubtenantId } from '#domain/people/subtenants.ts';
import type { Config } from '../config/config.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import { PLAIN_PAGE_POLICY } from '../http/headers.ts';
import { PORCH } from '../notifications/porch.ts';
import type { Sender } from '../notifications/sender.ts';
import { mailSamples } from './mail-samples.ts';
import { mailsPage } from './mails-page.ts';

/** A mail as a mail program draws it: its own styles, our pictures, no script and nothing else. */
export const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";

const PORCH_PATH = '/dev/porch.png';
/** Returns a mail as a page of its own: the picture that comes with it is fetched here. */
export const asPage = (html: string) => html.replace(`cid:${PORCH.cid}`, PORCH_PATH);

const languageQuery = { [LANGUAGE_QUERY]: z.optional(z.string().check(z.maxLength(10))) };
const pageQuery = z.object({
  subtenantId: z.optional(z.string().check(z.maxLength(10))),
  ...languageQuery,
});
const mailQuery = z.object(languageQuery);
const mailParams = z.object({
  subtenantId: z.string().check(z.maxLength(10)),
  name: z.string().check(z.maxLength(40)),
});

type Deps = {
  readonly db: Db;
  readonly config: Pick<Config, 'publicUrl' | 'help' | 'timeZone' | 'timers'>;
  readonly logoOf: (logoPath: string) => Sender['logo'];
};

/** Demo mode only: `/dev/mails` draws every template for every subtenant. */
export function installMailPreview(app: FastifyInstance, { db, config, logoOf }: Deps): void {
  const { help } = config;
  const porch = readFileSync(PORCH.file);
  const tenants = () =>
    db
      .selectFrom('subtenants')
      .select(['id', 'name', 'logo_path', 'accent'])
      .where('is_active', '=', true)
      .orderBy('id')
      .execute();
  type Row = Awaited<ReturnType<typeof tenants>>[number];
  const samplesOf = ({ id, name, logo_path, accent }: Row, asked: string | undefined) => {
    const language = isLanguage(asked) ? asked : ORIGINAL;
    return mailSamples({ id, name, accent, logo: logoOf(logo_path), help, language }, config);
  };

  app.get(PORCH_PATH, (_request, reply) =>
    // A mail is shown in a sandbox, which is of no origin.
    reply.header('cross-origin-resource-policy', 'cross-origin').type('image/png').send(porch),
  );

  app.get('/dev/mails', { schema: { querystring: pageQuery } }, async (request, reply) => {
    const { subtenantId, lang } = request.query as z.infer<typeof pageQuery>;
    const id = parseSubtenantId(subtenantId) ?? DEFAULT_SUBTENANT_ID;
    const all = await tenants();
    const shown = all.find((each) => each.id === id) ?? all[0];
    if (!shown) throw new AppError('NOT_FOUND');
    return reply
      .header('content-security-policy', `${PLAIN_PAGE_POLICY}; frame-src 'self'`)
      .type('text/html; charset=utf-8')
      .send(mailsPage(samplesOf(shown, lang), shown, { tenants: all, lang }));
  });
  app.get(
    '/dev/mails/:subtenantId/:name',
    { schema: { params: mailParams, querystring: mailQuery } },
    async (request, reply) => {
      const { subtenantId, name } = request.params as z.infer<typeof mailParams>;
      const { lang } = request.query as z.infer<typeof mailQuery>;
      const id = parseSubtenantId(subtenantId);
      const tenant = (await tenants()).find((each) => each.id === id);
      const sample = tenant && samplesOf(tenant, lang).find((each) => each.name === name);
      if (!sample) throw new AppError('NOT_FOUND');
      return reply
        .header('content-security-policy', MAIL_POLICY)
        .type('text/html; charset=utf-8')
        .send(asPage(sample.mail.html ?? ''));
    },
  );
}
