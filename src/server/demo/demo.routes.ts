import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { eraseClosed } from '../people/close-account.ts';
import { sendReminders } from '../people/reminders.ts';
import type { DevClock } from '../core/clock.ts';
import { applyDueChanges } from '../contacts/apply-staff-change.ts';
import type { FullContext } from '../access/context.ts';
import type { SigningKeys } from '../crypto/signing-keys.ts';
import { AppError } from '../http/app-error.ts';
import { PLAIN_PAGE_POLICY } from '../http/headers.ts';
import { DEMO_CSS } from './demo-css.ts';
import type { CallScript } from '../notifications/calls.ts';
import { addWords, findMessages, readInbox, inboxRecipient } from './inbox.ts';
import { inboxPage } from './inbox-page.ts';
import { asPage, MAIL_POLICY } from './mails.routes.ts';

const recipientQuery = z.object({ to: z.optional(z.string().check(z.maxLength(254))) });
const messageParams = z.object({ id: z.uuid() });
const clockBody = z.strictObject({
  advanceSeconds: z.number().check(z.int(), z.minimum(1), z.maximum(400 * 24 * 60 * 60)),
});

type Deps = {
  readonly clock: DevClock;
  readonly callScript: Pick<CallScript, 'press'>;
  readonly keys: Pick<SigningKeys, 'refresh'>;
};

/** Demo mode only: the inbox, the clock and the leads (DEM-03 to DEM-05). */
export function installDevRoutes(
  app: FastifyInstance,
  context: FullContext,
  { clock, keys, callScript }: Deps,
): void {
  const { db, outbox } = context;

  /** Runs due jobs before an inbox is read, so that no reader waits for a worker. */
  async function settle(): Promise<void> {
    await sendReminders(context);
    await eraseClosed(context);
    await applyDueChanges(context);
    await outbox.settle();
  }

  app.get('/dev/inbox', { schema: { querystring: recipientQuery } }, async (request, reply) => {
    const { to } = request.query as z.infer<typeof recipientQuery>;
    await settle();
    return reply
      .header('content-security-policy', `${PLAIN_PAGE_POLICY}; frame-src 'self'`)
      .type('text/html; charset=utf-8')
      .send(inboxPage(await findMessages(db, to), to ?? '', clock.now()));
  });
  app.get('/dev/inbox/:id', { schema: { params: messageParams } }, async (request, reply) => {
    const { id } = request.params as z.infer<typeof messageParams>;
    const message = await db
      .selectFrom('inbox_messages')
      .select('html')
      .where('id', '=', id)
      .executeTakeFirst();
    if (!message?.html) throw new AppError('NOT_FOUND');
    return (
      reply
        // A press of a link opens it in a tab of its own, as in a mail program.
        .header(
          'content-security-policy',
          `${MAIL_POLICY} allow-popups allow-popups-to-escape-sandbox`,
        )
        .type('text/html; charset=utf-8')
        .send(asPage(message.html).replace('<head>', '<head><base target="_blank">'))
    );
  });
  // A press on the phone's keypad: the voice says the code only now.
  app.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', (_request, _body, done) =>
      done(null),
    );
    const schema = { params: messageParams };
    scope.post('/dev/inbox/:id/press', { schema }, async (request, reply) => {
      const { id } = request.params as z.infer<typeof messageParams>;
      const said = await callScript.press(id);
      if (said) await addWords(db, id, said.lines);
      const to = await inboxRecipient(db, id);
      return reply.redirect(`/dev/inbox?${new URLSearchParams({ to }).toString()}`, 303);
    });
  });
  app.get('/demo/demo.css', (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(DEMO_CSS),
  );
  app.get('/dev/inbox.json', { schema: { querystring: recipientQuery } }, async (request) => {
    const { to } = request.query as z.infer<typeof recipientQuery>;
    await settle();
    return readInbox(db, to);
  });
  app.get('/dev/leads.json', async () => {
    await settle();
    const rows = await db
      .selectFrom('received_leads')
      .selectAll()
      .orderBy('received_at', 'desc')
      .execute();
    return rows.map((row) => ({ ...row.lead, receivedAt: row.received_at }));
  });
  app.post('/dev/clock', { schema: { body: clockBody } }, async (request) => {
    const { advanceSeconds } = request.body as z.infer<typeof clockBody>;
    clock.advance(advanceSeconds);
    // What is due by the new time happens before the answer.
    await keys.refresh();
    return { now: clock.now() };
  });
}
