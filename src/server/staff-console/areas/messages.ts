import { messagesDesk as texts } from '#locales/operator/figures.ts';
import { OperatorError } from '../../config/operator-error.ts';
import type { FullContext } from '../../access/context.ts';
import { houseOf, type Staff } from '../staff.ts';
import { createDeadLetters } from '../../jobs/dead-letters.ts';
import { countJobs } from '../../metrics/counts.ts';
import type { Courier } from '../../notifications/courier.ts';
import type { Content } from '../console.ts';
import { type DeskArea, type DeskForm, pageOf } from '../desk-area.ts';
import { readChannels } from './message-figures.ts';
import { startOfDay } from './shown-people.ts';
import {
  undeliveredName,
  readUndelivered,
  undeliveredRows,
  type Undelivered,
} from './undelivered.ts';

/** Creates the pages about messages: how each channel does, and what no provider took. */
export function messagesArea(context: FullContext, courier: Pick<Courier, 'channels'>): DeskArea {
  const letters = createDeadLetters(context);
  const rows = async (staff: Staff) =>
    undeliveredRows(await readUndelivered(context, staff), staff);

  /** Returns the form of an operator's verb on a dead letter. */
  function formOf(verb: 'retry' | 'drop', message: Undelivered): DeskForm {
    const id = message.id;
    return {
      title: texts.forms[verb].title,
      lead: undeliveredName(message),
      changes: [texts.forms[verb].changes],
      submit: texts[verb],
      isGrave: verb === 'drop',
      async run({ admin }) {
        const isDone =
          verb === 'drop'
            ? await letters.drop(id, (transaction) =>
                admin.audit({ kind: 'outbox.dropped', details: { id } }, transaction),
              )
            : (await letters.retry(id, async (transaction, count) => {
                if (count === 0) return;
                const details = { id, count };
                await admin.audit({ kind: 'outbox.retried', details }, transaction);
              })) > 0;
        if (!isDone) throw new OperatorError(texts.gone);
        context.outbox.wake();
      },
    };
  }

  return {
    area: 'messages',
    texts: { ...texts, empty: texts.undelivered.none },
    list: {
      isPersonal: true,
      read: async (asked) => pageOf(await rows(asked.staff), asked),
    },

    async overview(staff, query) {
      const house = houseOf(staff);
      const midnight = await startOfDay(context);
      const jobs = house === null ? await countJobs(context.db, context.clock.now()) : [];
      const waiting = jobs.find(({ kind, state }) => kind === 'message' && state === 'waiting');
      const done = query.get('done');
      const undelivered = await rows(staff);
      const content: Content = {
        kind: 'messages',
        midnight: midnight.getTime(),
        channels: await readChannels(context, courier, { midnight, house }),
        // How many wait, and how long, says how much the whole service sends (HOU-10).
        waiting:
          house === null ? { count: waiting?.count ?? 0, oldestMs: waiting?.oldestMs ?? 0 } : null,
        undelivered,
        done: done === 'retry' || done === 'drop' ? texts.done[done] : null,
      };
      return { content, people: undelivered.length };
    },

    async form([id, verb, ...more], staff) {
      if (staff.role !== 'operator' || more.length > 0) return null;
      if (verb !== 'retry' && verb !== 'drop') return null;
      const message = (await readUndelivered(context, staff)).find(({ job }) => job === id);
      return message ? formOf(verb, message) : null;
    },
  };
}
