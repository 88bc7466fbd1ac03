import type { AccountData } from '#contract/my-account.ts';
import { checkHelper, helperState } from '#domain/people/helpers.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { canonicalEmail } from '#domain/typed/validation.ts';
import { findAccount } from '../accounts/account-store.ts';
import { helpersOf } from '../accounts/helper-store.ts';
import { whileFresh } from '../access/freshness.ts';
import { askHelper, endHelpers } from './helpers.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import type { FullContext } from '../access/context.ts';
import {
  type AccountForms,
  dayOf,
  idsOf,
  type Me,
  problemsOf,
  textOf,
} from '../forms/account-page.ts';

const page = { page: pathOf('myHelpers') } as const;

/** Creates 'Who may help you': a member names a helper after a code, and ends one in one press. */
export function createHelpers(context: FullContext) {
  const { db, clock, config, rateLimits } = context;

  async function name(me: Me, typed: { readonly helperEmail: string; readonly relation: string }) {
    const id = me.loggedInUserId;
    const account = await findAccount(db, id);
    const checked = checkHelper(typed, account?.email ?? '');
    if (!checked.isValid) return { problems: problemsOf(checked.problems) };
    const mailbox = canonicalEmail(checked.values.helperEmail);
    await rateLimits.consume([RATE_LIMITS.helperNamedPerMember, String(id)]);
    const isMailed = await rateLimits.isWithin([RATE_LIMITS.helperNamedPerMailbox, mailbox]);
    const problem = await whileFresh(context, idsOf(me), (own) =>
      askHelper({ ...context, db: own }, id, { ...checked.values, isMailed }),
    );
    return problem === null ? page : { problems: problemsOf({ helperEmail: problem }) };
  }

  /** Ends one of the member's own helpers. No code: whoever wants help to end does not have to wait for a mail. */
  async function end(memberId: number, id: string) {
    await db.transaction().execute(async (transaction) => {
      const own = (await helpersOf(transaction, memberId)).filter((row) => row.id === id);
      const ids = own.map((row) => row.id);
      await endHelpers(context, transaction, { ids, by: 'member' });
    });
    return page;
  }

  return {
    forms: {
      myHelpers: {
        asksProof: (sent) => !sent.has('end'),
        refusedAt: 'helperEmail',
        keeps: ['helperEmail', 'relation'],
        async run(me, sent) {
          if (sent.has('end')) return end(me.loggedInUserId, textOf(sent, 'end'));
          const helperEmail = textOf(sent, 'helperEmail');
          return name(me, { helperEmail, relation: textOf(sent, 'relation') });
        },
      },
    } satisfies AccountForms,

    async read(memberId: number): Promise<AccountData['helpers']> {
      const now = clock.now();
      return (await helpersOf(db, memberId)).map((row) => {
        const times = { addedAt: row.added_at, endsAt: row.ends_at, removedAt: row.removed_at };
        return {
          id: row.id,
          // An address that was asked shows what was typed, with or without an account.
          name: row.helperName || row.email,
          relation: row.relation,
          state: helperState(times, now),
          endsOn: dayOf(row.ends_at, config.timeZone),
        };
      });
    },
  };
}
