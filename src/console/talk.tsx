import type { ConsoleFrame, PersonPage as Data, TimelineEntry } from '#contract/console.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import type { SignInCause } from '#domain/help-desk/why-cannot-sign-in.ts';
import type { Door } from '#domain/looks/door.ts';
import { fill } from '#locales/fill.ts';
import { consoleMessages, consoleTexts as t } from '#locales/operator/console.ts';
import { whyCannotSignIn as causes } from '#locales/operator/why-cannot-sign-in.ts';
import { buttonClass } from '#portal/ui/button.tsx';
import { Contacts, fillNodes } from '#portal/ui/contacts.tsx';
import { Icon } from '#portal/ui/icon.tsx';
import { Porch } from '#portal/ui/porch.tsx';
import { timeText, momentText } from './moments.ts';
import styles from './talk.module.css';
import { entryText } from './timeline.tsx';

type Page = ConsoleFrame & Data;

const DOORS: Readonly<Partial<Record<SignInCause, Door>>> = {
  nothing: 'wide',
  codeNotTyped: 'ajar',
  appCodeNotTyped: 'ajar',
};

/** Renders the call as a conversation: the cause, what was done, what is waited for, and what to say. */
export function Talk({ page }: { readonly page: Page }) {
  const { why, person, change } = page;
  const { cause, mend } = why;
  const words = wordsOfCall(page);
  const answer = change ? 'changeWaits' : cause;
  const isKept = answer !== 'nothing' && answer !== 'changeWaits';
  const [waits, say] = turnsOf(page);
  const isCalm = answer === 'nothing' && !why.waitsFor;
  return (
    <section className={styles.talk} aria-labelledby="why">
      <div>
        <div className={styles.top}>
          <span className={styles.door}>
            <Porch door={change ? 'ajar' : (DOORS[cause] ?? 'shut')} view="mini" />
          </span>
          <div>
            {isKept && <p>{fill(t.whyTitle, words)}</p>}
            <h2 id="why">{fill(t.headline[answer], words)}</h2>
          </div>
        </div>
        {!isCalm && (
          <dl>
            <div>
              <dt>{t.talk.cause}</dt>
              <dd id="cause">{fill(causes[cause], words)}</dd>
            </div>
            <div>
              <dt>{t.talk.done}</dt>
              <Done page={page} />
            </div>
            <div>
              <dt>{t.talk.waits}</dt>
              <dd>{fill(waits, words)}</dd>
            </div>
          </dl>
        )}
      </div>
      <div className={styles.say}>
        <div>
          <h3>
            <Icon name="headset" />
            {t.sayTitle}
          </h3>
          <p>{fill(t.quoted, { words: fill(say, words) })}</p>
        </div>
        {mend && (
          <a
            className={buttonClass('primary', false)}
            href={consolePath('people', person.id, mend)}
          >
            {t.verb[mend]}
          </a>
        )}
      </div>
    </section>
  );
}

/** Returns what the sentences of the call name. */
function wordsOfCall(page: Page) {
  const { why, person, change } = page;
  const channel = why.cause === 'phoneGetsNoTexts' ? 'sms' : 'email';
  const until = change?.dueAt ?? why.until;
  return {
    name: person.firstName,
    module: why.module,
    organization: why.organisation,
    reason: consoleMessages.reasons[channel][why.reason ?? 'unknown'],
    until: until === null ? '' : timeText(until, page),
    when: until === null ? '' : momentText(until, page),
  };
}

/** Returns the sentence about what is waited for, and the one to say. */
function turnsOf({ why: { cause, waitsFor }, change }: Page): readonly [string, string] {
  if (change) return [t.waiting.for[change.waitsFor], t.sayAsked[change.waitsFor]];
  if (waitsFor) return [t.asked[waitsFor], t.sayAsked[waitsFor]];
  return [t.waits[cause], t.say[cause]];
}

function Done({ page }: { readonly page: Page }) {
  const { change, timeline } = page;
  // A change that waits is told above, with the colleague who asked.
  const acts = lastActs(
    change
      ? timeline.filter(
          (entry) => entry.kind !== 'event' || !entry.event.startsWith('staffChange.'),
        )
      : timeline,
  );
  return (
    <>
      {change && (
        <>
          <dd>{fillNodes(t.waiting.what[change.what], { to: <Contacts to={change.to} /> })}</dd>
          <dd>
            {fill(t.waiting.asked, {
              name: change.askedBy,
              when: momentText(change.askedAt, page),
            })}
          </dd>
        </>
      )}
      {!change && acts.length === 0 && <dd>{t.nothingHappened}</dd>}
      {acts.map((entry) => {
        const words = entryText(entry);
        const what = entry.by === null ? words : fill(t.talkBy, { what: words, by: entry.by });
        return (
          <dd key={entry.event}>{fill(t.talkEvent, { what, when: momentText(entry.at, page) })}</dd>
        );
      })}
    </>
  );
}

type Act = Extract<TimelineEntry, { readonly kind: 'event' }>;

/** Returns the newest act of the person and the newest of other people, the older one first. */
function lastActs(timeline: readonly TimelineEntry[]): readonly Act[] {
  const acts = timeline.filter(
    (entry): entry is Act => entry.kind === 'event' && !LOOKS.has(entry.event),
  );
  const ofPerson = acts.find(({ by }) => by === null);
  const ofStaff = acts.find(({ by }) => by !== null);
  return [ofPerson, ofStaff].flatMap((act) => act ?? []).sort((a, b) => a.at - b.at);
}

const LOOKS: ReadonlySet<string> = new Set([
  'console.looked',
  'console.searched',
  'console.visitLooked',
]);
