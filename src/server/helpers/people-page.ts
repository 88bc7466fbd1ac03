import type { AccountData } from '#contract/my-account.ts';
import { canSignIn, HELP_ASKS, type HelpAsk } from '#domain/people/helpers.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { whyCannotSignIn } from '#domain/help-desk/why-cannot-sign-in.ts';
import { type Account, findAccount } from '../accounts/account-store.ts';
import { helpAsksTo, type HelperRow, peopleHelpedBy } from '../accounts/helper-store.ts';
import { acceptHelp, endHelpers, helperActor } from './helpers.ts';
import { whileFresh } from '../access/freshness.ts';
import { signInFactsOf } from '../access/sign-in-facts.ts';
import type { FullContext } from '../access/context.ts';
import { type AccountForms, dayOf, idsOf, type Me, textOf } from '../forms/account-page.ts';
import { createHelpAsks, type HelpAskPorts } from './help-asks.ts';

type Said = 'accepted' | 'ended' | 'done' | 'notNow' | 'over';

const page = (said: Said) => ({ page: `${pathOf('myPeople')}?said=${said}` });

/**
 * Creates 'People you help'. A helper sees a member's name and whether they can sign in, and nothing more: every answer
 * is the same, whatever the member's state is.
 */
export function createPeople(context: FullContext, ports: HelpAskPorts) {
  const { db, clock, config } = context;
  const ask = createHelpAsks(context, ports);

  async function accept(me: Me, id: string) {
    const isAccepted = await whileFresh(context, idsOf(me), (own) =>
      acceptHelp({ ...context, db: own }, me.loggedInUserId, id),
    );
    return page(isAccepted ? 'accepted' : 'over');
  }

  /** Ends the help for a member, or refuses an ask. */
  async function end(helperId: number, id: string) {
    const count = await db.transaction().execute(async (transaction) => {
      const account = await findAccount(transaction, helperId);
      const rows = account ? await rowsOf(transaction, account) : [];
      const ids = rows.filter((row) => row.id === id).map((row) => row.id);
      const actor = helperActor(id);
      return endHelpers(context, transaction, { ids, by: 'helper', actor });
    });
    return page(count > 0 ? 'ended' : 'over');
  }

  const rowsOf = async (source: FullContext['db'], account: Account) => [
    ...(await helpAsksTo(source, account, clock.now())),
    ...(await peopleHelpedBy(source, account.id, clock.now())),
  ];

  async function canMemberSignIn({ member_id: id }: HelperRow): Promise<boolean> {
    const member = await findAccount(db, id);
    if (!member) return false;
    // A change that waits refuses new passwords; the present one still signs in.
    const facts = { ...(await signInFactsOf(context, member)), changeUntil: null };
    return canSignIn(whyCannotSignIn(facts));
  }

  return {
    forms: {
      myPeople: {
        asksProof: (sent) => textOf(sent, 'do') === 'accept',
        async run(me, sent, caller) {
          const [id, wish] = [textOf(sent, 'help'), textOf(sent, 'do')];
          if (wish === 'accept') return accept(me, id);
          if (wish === 'end') return end(me.loggedInUserId, id);
          if (!isAsk(wish)) return { page: pathOf('myPeople') };
          return page(await ask({ id, ask: wish, helperId: me.loggedInUserId }, caller));
        },
      },
    } satisfies AccountForms,

    /** `isWhole`: with the answer whether each of them can sign in. */
    async read(account: Account, isWhole: boolean): Promise<AccountData['people']> {
      const people = [];
      for (const row of await rowsOf(db, account)) {
        const isHelping = row.added_at !== null;
        people.push({
          id: row.id,
          name: row.memberName,
          firstName: row.memberFirstName,
          isHelping,
          endsOn: dayOf(row.ends_at, config.timeZone),
          canSignIn: isWhole && isHelping ? await canMemberSignIn(row) : null,
        });
      }
      return people;
    },
  };
}

const isAsk = (wish: string): wish is HelpAsk => (HELP_ASKS as readonly string[]).includes(wish);
