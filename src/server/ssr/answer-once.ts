import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { later } from '../core/clock.ts';
import type { ServerContext } from '../core/context.ts';
import { createSecretBox } from '../crypto/secret-box.ts';

/** The field whose value each drawn page has for itself. */
export const ONCE_FIELD = 'once';

/** An answer can need seconds to arrive. Until then a second press, or a reload, counts as the first press. */
const KEPT_MS = 15_000;
/** The lease of the instance that runs a form. The instance renews it while the form runs. */
const LEASE_MS = 3000;
const RENEWED_EVERY_MS = 1000;
const ASK_MS = 50;
/** Each new row deletes up to this many expired ones, so that a flood of forms leaves only its last seconds. */
const SWEPT = 20;

type Deps = Pick<ServerContext, 'db' | 'clock'>;

/** A form as it arrived. `browser`: the token of its visit cookie, if it has one. */
type Form = Pick<FastifyRequest, 'url' | 'body'> & { readonly browser: string | null };

/** An answer, and the visit cookies of the browser that it belongs to: before the form and after it. */
type Kept<Outcome> = { readonly outcome: Outcome; readonly browsers: readonly (string | null)[] };

/**
 * Runs a form once, however often it comes from one page and to whichever instance: a press again gets the answer of the
 * first, cookies included. The answer belongs to the browser that sent the form. Both presses
 * may arrive before there is a visit, so the caller lets only our own pages send a form without one. `Outcome` has to
 * survive JSON. What failed may be sent again at once.
 * @param browserAfter the token of the visit cookie that an answer sets
 */
export function createAnswerOnce<Outcome extends object>(
  { db, clock }: Deps,
  browserAfter: (outcome: Outcome) => string | null,
) {
  /** Forms of other requests that this instance waits for: one poll serves all waiting requests here. */
  const awaited = new Map<string, Promise<string | null>>();

  return async (
    { url, body, browser }: Form,
    sent: FormData,
    run: () => Promise<Outcome>,
  ): Promise<Outcome> => {
    if (!sent.get(ONCE_FIELD)) return run();
    const form = createHash('sha256')
      .update(JSON.stringify([url, body]))
      .digest('base64');
    // The form is the secret: whoever reads the database opens neither it nor the cookies of the answer.
    const box = createSecretBox(form);
    const id = box.hmac('answered-form', form);
    const owner = randomUUID();
    while (awaited.has(id) || !(await begin(id, owner))) {
      const sealed = await answerOfAnother(id);
      if (sealed === null) continue;
      const kept = JSON.parse(box.decrypt('answered-form', sealed)) as Kept<Outcome>;
      return kept.browsers.includes(browser) ? kept.outcome : run();
    }
    let outcome: Outcome;
    // One that fails is made up for by the next.
    const renewal = setInterval(
      () => void renew(id, owner).catch(() => undefined),
      RENEWED_EVERY_MS,
    );
    try {
      outcome = await run();
    } catch (error) {
      await db
        .deleteFrom('answered_forms')
        .where('id', '=', id)
        .where('owner', '=', owner)
        .execute();
      throw error;
    } finally {
      clearInterval(renewal);
    }
    const kept: Kept<Outcome> = { outcome, browsers: [browser, browserAfter(outcome) ?? browser] };
    const answer = box.encrypt('answered-form', JSON.stringify(kept));
    await db
      .updateTable('answered_forms')
      .set({ answer, expires_at: later(clock.now(), KEPT_MS) })
      .where('id', '=', id)
      .where('owner', '=', owner)
      .execute();
    return outcome;
  };

  /** Returns the sealed answer of a form that another request runs; `null` once none runs it any more. */
  function answerOfAnother(id: string): Promise<string | null> {
    const asked = awaited.get(id) ?? askFor(id).finally(() => awaited.delete(id));
    awaited.set(id, asked);
    return asked;
  }

  async function askFor(id: string): Promise<string | null> {
    for (;;) {
      const row = await db
        .selectFrom('answered_forms')
        .select(['answer', 'expires_at'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (!row || row.expires_at <= clock.now()) return null;
      if (row.answer !== null) return row.answer;
      await sleep(ASK_MS);
    }
  }

  async function renew(id: string, owner: string): Promise<void> {
    await db
      .updateTable('answered_forms')
      .set({ expires_at: later(clock.now(), LEASE_MS) })
      .where('id', '=', id)
      .where('owner', '=', owner)
      .where('answer', 'is', null)
      .execute();
  }

  /** Whether the form is the caller's to run. */
  async function begin(id: string, owner: string): Promise<boolean> {
    const now = clock.now();
    const row = await db
      .with('swept', (cte) =>
        cte
          .deleteFrom('answered_forms')
          .where('id', 'in', (over) =>
            over
              .selectFrom('answered_forms')
              .select('id')
              .where('expires_at', '<=', now)
              .where('id', '<>', id)
              .limit(SWEPT)
              .forUpdate()
              .skipLocked(),
          ),
      )
      .insertInto('answered_forms')
      .values({ id, owner, expires_at: later(now, LEASE_MS), answer: null })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet({ owner, expires_at: later(now, LEASE_MS), answer: null })
          .where('answered_forms.expires_at', '<=', now),
      )
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }
}
