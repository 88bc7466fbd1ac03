import { Fragment, type ReactNode } from 'react';
import {
  CALLER_CHECKS,
  type ConsoleFrame,
  type PersonPage as Data,
  type TimelineEntry,
} from '#contract/console.ts';
import { groupOf, isGrave } from '#domain/help-desk/console-verbs.ts';
import type { SignInCause } from '#domain/help-desk/why-cannot-sign-in.ts';
import { ROLES } from '#domain/people/roles.ts';
import { fill } from '#locales/fill.ts';
import { consoleMessages, consoleTexts as t } from '#locales/operator/console.ts';
import { whyCannotSignIn as causes } from '#locales/operator/why-cannot-sign-in.ts';
import { Alert } from '#portal/ui/alert.tsx';
import { Address, Contacts, fillNodes, Phone } from '#portal/ui/contacts.tsx';
import { Icon, type IconName } from '#portal/ui/icon.tsx';
import { Porch } from '#portal/ui/porch.tsx';
import type { Door } from '#domain/looks/porch-door.ts';
import { dateOf, timeOf, whenOf } from './moments.ts';
import { initialsOf } from './search-page.tsx';
import { News, Timeline, wordsOf } from './timeline.tsx';

type Page = ConsoleFrame & Data;

const nameOf = ({ person }: Data) => `${person.firstName} ${person.lastName}`.trim();
export const personTitle = (page: Data): string => nameOf(page);

/** Renders a person: the conversation, what happened, what you can do, who this is. */
export function PersonPage({ page }: { readonly page: Page }) {
  const { person, done, search } = page;
  const roles = person.roles.map((id) => ROLES[id].key).join(', ') || t.noRoles;
  return (
    <>
      <p className="c-back">
        <a
          href={
            search === '' ? '/console' : `/console?${String(new URLSearchParams({ q: search }))}`
          }
        >
          <Icon name="arrow-left" />
          {t.backToSearch}
        </a>
      </p>
      <div className="c-who">
        <span className="c-initials" aria-hidden="true">
          {initialsOf(nameOf(page))}
        </span>
        <div>
          <h1>
            <bdi>{nameOf(page)}</bdi>
          </h1>
          <p>{fill(t.rolesAt, { roles, subtenant: person.subtenant })}</p>
        </div>
      </div>
      {done && (
        <Alert tone="success" role="status">
          {fill(t.done, { verb: t.verb[done] })}
        </Alert>
      )}
      <div data-live="why">
        <Talk page={page} />
      </div>
      <News page={page} />
      <div className="c-grid">
        <section className="c-time" aria-labelledby="time">
          <h2 id="time">{t.whatHappened}</h2>
          <div data-live="time">
            <Timeline page={page} />
          </div>
        </section>
        <section className="c-do" aria-labelledby="do">
          <h2 id="do">{t.whatYouCanDo}</h2>
          <Verbs page={page} />
        </section>
        <section className="c-about" aria-labelledby="who">
          <About page={page} />
          <Check name={person.firstName} />
          <Ways page={page} />
        </section>
      </div>
    </>
  );
}

const DOORS: Readonly<Partial<Record<SignInCause, Door>>> = {
  nothing: 'wide',
  codeNotTyped: 'ajar',
  appCodeNotTyped: 'ajar',
};

/** Renders the call as a conversation: the cause, what was done, what is waited for, and what to say. */
function Talk({ page }: { readonly page: Page }) {
  const { why, person, change } = page;
  const { cause, mend } = why;
  const words = wordsOfCall(page);
  const answer = change ? 'changeWaits' : cause;
  const isKept = answer !== 'nothing' && answer !== 'changeWaits';
  const [waits, say] = turnsOf(page);
  return (
    <section className="c-verdict" aria-labelledby="why">
      <div>
        <div className="c-top">
          <span className="c-door">
            <Porch door={change ? 'ajar' : (DOORS[cause] ?? 'shut')} view="mini" />
          </span>
          <div>
            {isKept && <p>{fill(t.whyTitle, words)}</p>}
            <h2 id="why">{fill(t.headline[answer], words)}</h2>
          </div>
        </div>
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
      </div>
      <div className="c-say">
        <h3>
          <Icon name="headset" />
          {t.sayTitle}
        </h3>
        <p>{fill(t.quoted, { words: fill(say, words) })}</p>
        {mend && (
          <a className="c-glow" href={`/console/people/${person.id}/${mend}`}>
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
    reason: consoleMessages.reasons[channel][why.reason ?? 'unknown'],
    until: until === null ? '' : timeOf(until, page),
    when: until === null ? '' : whenOf(until, page),
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
  const acts = lastActs(timeline);
  return (
    <>
      {change && <Asked change={change} page={page} />}
      {!change && acts.length === 0 && <dd>{t.nothingHappened}</dd>}
      {acts.map((entry) => {
        const words = wordsOf(entry);
        const what = entry.by === null ? words : fill(t.talkBy, { what: words, by: entry.by });
        return (
          <dd key={entry.event}>{fill(t.talkEvent, { what, when: whenOf(entry.at, page) })}</dd>
        );
      })}
    </>
  );
}

type Act = Extract<TimelineEntry, { readonly kind: 'event' }>;

/** Returns the newest act of the person and that of somebody else, the older one first. */
function lastActs(timeline: readonly TimelineEntry[]): readonly Act[] {
  const acts = timeline.filter(
    (entry): entry is Act => entry.kind === 'event' && !LOOKS.has(entry.event),
  );
  const ofPerson = acts.find(({ by }) => by === null);
  const ofStaff = acts.find(({ by }) => by !== null);
  return [ofPerson, ofStaff].flatMap((act) => act ?? []).toSorted((a, b) => a.at - b.at);
}

const LOOKS: ReadonlySet<string> = new Set([
  'console.looked',
  'console.searched',
  'console.visitLooked',
]);

/** Renders the change that staff asked for and that does not count yet. */
function Asked({
  change: { what, to, askedBy, askedAt },
  page,
}: {
  readonly change: NonNullable<Data['change']>;
  readonly page: Page;
}) {
  return (
    <>
      <dd>{fillNodes(t.waiting.what[what], { to: <Contacts to={to} /> })}</dd>
      <dd>{fill(t.waiting.asked, { name: askedBy, when: whenOf(askedAt, page) })}</dd>
    </>
  );
}

function About({ page }: { readonly page: Page }) {
  const { person, sessions, helpers } = page;
  const devices =
    sessions === 0
      ? t.sessionNone
      : sessions === 1
        ? t.sessionOne
        : fill(t.sessions, { count: sessions });
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t.email, <Address key="email" email={person.email} />],
    [t.phone, person.phone === '' ? t.noPhone : <Phone key="phone" number={person.phone} />],
    [t.since, dateOf(person.since, page)],
    ...(person.trialEnds === null ? [] : [[t.trialUntil, dateOf(person.trialEnds, page)] as const]),
    ...helpers.map(
      ({ until, ...helper }) =>
        [fill(t.helper, { date: dateOf(until, page) }), fill(t.helperIs, helper)] as const,
    ),
  ];
  return (
    <>
      <h2 id="who">{t.whoThisIs}</h2>
      <dl>
        {facts.map(([label, value], index) => (
          <div key={`${label} ${index}`}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p>{devices}</p>
    </>
  );
}

/** Renders what to ask before you help. */
function Check({ name }: { readonly name: string }) {
  return (
    <details className="c-check">
      <summary>{fill(t.checkTitle, { name })}</summary>
      <ul>
        {CALLER_CHECKS.map((check, index) => (
          <li key={check}>{t.check[index]}</li>
        ))}
      </ul>
    </details>
  );
}

const WAY_LOOK: Readonly<Record<Data['ways'][number]['state'], readonly [string, IconName]>> = {
  works: ['ok', 'circle-check'],
  fails: ['bad', 'octagon-alert'],
  none: ['off', 'x'],
  rests: ['off', 'clock'],
};

function Ways({ page }: { readonly page: Page }) {
  return (
    <>
      <h2>{t.waysTitle}</h2>
      <ul className="c-ways">
        {page.ways.map(({ way, state, at }) => {
          const [tone, icon] = WAY_LOOK[state];
          const words = t.wayState[state];
          return (
            <li key={way} className={`c-${tone}`}>
              <Icon name={icon} />
              <span>
                <b>{t.way[way]}</b>
                {at === null ? words : fill(t.wayAt, { state: words, when: whenOf(at, page) })}
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** Renders the verbs that do something, what helps first; those that would do nothing are folded, and say why. */
function Verbs({ page }: { readonly page: Page }) {
  const { person, verbs, why } = page;
  const list = (shown: Data['verbs']) => (
    <ul className="c-verbs">
      {shown.map(({ verb, rest }) => (
        <li key={verb}>
          <a
            className={`c-verb${rest ? ' c-no' : ''}${isGrave(verb) && !rest ? ' c-grave' : ''}`}
            href={rest ? undefined : `/console/people/${person.id}/${verb}`}
            {...(rest && { role: 'link', tabIndex: 0, 'aria-disabled': true })}
          >
            <b>{t.verb[verb]}</b>
            <span>{rest ? t.rest[rest] : fill(t.changes[verb], { name: person.firstName })}</span>
          </a>
        </li>
      ))}
    </ul>
  );
  const resting = verbs.filter(({ rest }) => rest !== null);
  return (
    <>
      {(['help', 'free', 'grave'] as const).map((group) => {
        const shown = verbs.filter(
          ({ verb, rest }) => rest === null && groupOf(verb, why.cause) === group,
        );
        return (
          shown.length > 0 && (
            <Fragment key={group}>
              <h3>{t.verbsThat[group]}</h3>
              {list(shown)}
            </Fragment>
          )
        );
      })}
      {resting.length > 0 && (
        <details className="c-check c-rest">
          <summary>{fill(t.notNeeded, { count: resting.length })}</summary>
          {list(resting)}
        </details>
      )}
    </>
  );
}
