import { Fragment, type ReactNode } from 'react';
import { CALLER_CHECKS, type ConsoleFrame, type PersonPage as Data } from '#contract/console.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import { verbGroup, isGrave } from '#domain/help-desk/console-verbs.ts';
import { ROLES } from '#domain/people/roles.ts';
import { fill } from '#locales/fill.ts';
import { consoleTexts as t } from '#locales/operator/console.ts';
import { houseDesk } from '#locales/operator/house-desk.ts';
import { Address, Phone } from '#portal/ui/contacts.tsx';
import { Icon, type IconName } from '#portal/ui/icon.tsx';
import { dateText, momentText } from './moments.ts';
import parts from './parts.module.css';
import { Back, Done } from './parts.tsx';
import styles from './person.module.css';
import { initialsOf } from './search-page.tsx';
import { Talk } from './talk.tsx';
import { News, Timeline } from './timeline.tsx';

type Page = ConsoleFrame & Data;

const personName = ({ person }: Data) => `${person.firstName} ${person.lastName}`.trim();
export const personTitle = (page: Data): string => personName(page);

/** Renders a person: the conversation, what happened, what you can do, who this is. */
export function PersonPage({ page }: { readonly page: Page }) {
  const { person, did, search, isOwnStaff } = page;
  return (
    <>
      {isOwnStaff && !search ? (
        <Back href={consolePath('house', 'staff')}>{houseDesk.backToStaff}</Back>
      ) : (
        <Back
          href={
            consolePath('people') + (search && `?${String(new URLSearchParams({ q: search }))}`)
          }
        >
          {t.backToSearch}
        </Back>
      )}
      <Who page={page} />
      <Done words={outcomeText(page)} tone={did?.outcome === 'done' ? 'success' : 'info'} />
      <div data-live="why">
        <Talk page={page} />
      </div>
      <News page={page} />
      <div className={styles.grid}>
        <section className={styles.time} aria-labelledby="time">
          <h2 id="time">{t.whatHappened}</h2>
          <div data-live="time">
            <Timeline page={page} />
          </div>
        </section>
        <section aria-labelledby="do">
          <h2 id="do">{t.whatYouCanDo}</h2>
          <Verbs page={page} />
        </section>
        <section className={styles.about} aria-labelledby="who">
          <About page={page} />
          <Check name={person.firstName} />
          <Ways page={page} />
        </section>
      </div>
    </>
  );
}

/** Returns the sentence about what a verb did: never that it is done while it waits. */
function outcomeText({ did, person }: Data): string | null {
  if (!did) return null;
  const verb = t.verb[did.verb];
  const name = person.firstName;
  if (did.outcome === 'done') return fill(t.did.done, { verb });
  if (did.outcome === 'already') return fill(t.did.already, { verb });
  return did.verb === 'agree' ? fill(t.did.agreed, { name }) : fill(t.did.asked, { name });
}

function Who({ page }: { readonly page: Page }) {
  const { roles, subtenant } = page.person;
  const keys = roles.map((id) => ROLES[id].key).join(', ') || t.noRoles;
  return (
    <div className={styles.who}>
      <span className={`${parts.window} ${parts.lit}`} aria-hidden="true">
        {initialsOf(personName(page))}
      </span>
      <div>
        <h1>
          <bdi>{personName(page)}</bdi>
        </h1>
        <p>{fill(t.rolesAt, { roles: keys, subtenant })}</p>
      </div>
    </div>
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
    [t.since, dateText(person.since, page)],
    ...(person.trialEnds === null
      ? []
      : [[t.trialUntil, dateText(person.trialEnds, page)] as const]),
    ...helpers.map(
      ({ until, ...helper }) =>
        [fill(t.helper, { date: dateText(until, page) }), fill(t.helperIs, helper)] as const,
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
    <details className={styles.check}>
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
  away: ['bad', 'octagon-alert'],
  off: ['off', 'x'],
};

function Ways({ page }: { readonly page: Page }) {
  return (
    <>
      <h2>{t.waysTitle}</h2>
      <ul className={styles.ways}>
        {page.ways.map(({ way, state, at }) => {
          const [tone, icon] = WAY_LOOK[state];
          const words = t.wayState[state];
          return (
            <li key={way} className={styles[tone]}>
              <Icon name={icon} />
              <span>
                <b>{fill(t.way[way], { organization: page.why.organisation })}</b>
                {at === null ? words : fill(t.wayAt, { state: words, when: momentText(at, page) })}
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
    <ul className={styles.verbs}>
      {shown.map(({ verb, rest }) => (
        <li key={verb}>
          <a
            className={isGrave(verb) && !rest ? `${parts.box} ${styles.grave}` : parts.box}
            href={rest ? undefined : consolePath('people', person.id, verb)}
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
          ({ verb, rest }) => rest === null && verbGroup(verb, why.cause) === group,
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
        <details className={`${styles.check} ${styles.rest}`}>
          <summary>{fill(t.notNeeded, { count: resting.length })}</summary>
          {list(resting)}
        </details>
      )}
    </>
  );
}
