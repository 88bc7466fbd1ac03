import { CALLER_CHECKS, type ConsoleFrame, type PersonPage as Data } from '#contract/console.ts';
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
import { News, Timeline } from './timeline.tsx';

type Page = ConsoleFrame & Data;

const nameOf = ({ person }: Data) => `${person.firstName} ${person.lastName}`.trim();
export const personTitle = (page: Data): string => nameOf(page);

/** Renders a person: why they cannot sign in, who this is, what you can do, what happened. */
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
        <Verdict page={page} />
      </div>
      <Waiting page={page} />
      <News page={page} />
      <div className="c-grid">
        <section className="c-about" aria-labelledby="who">
          <About page={page} />
          <Check name={person.firstName} />
          <Ways page={page} />
        </section>
        <section className="c-do" aria-labelledby="do">
          <h2 id="do">{t.whatYouCanDo}</h2>
          <Verbs page={page} />
        </section>
        <section className="c-time" aria-labelledby="time">
          <h2 id="time">{t.whatHappened}</h2>
          <div data-live="time">
            <Timeline page={page} />
          </div>
        </section>
      </div>
    </>
  );
}

const DOORS: Readonly<Partial<Record<SignInCause, Door>>> = {
  nothing: 'wide',
  codeNotTyped: 'ajar',
  appCodeNotTyped: 'ajar',
  changeWaits: 'ajar',
};

/** Renders the sentence that answers the call, and the verb that mends it. */
function Verdict({ page }: { readonly page: Page }) {
  const { why, person } = page;
  const { cause, until, module, mend } = why;
  const reason = consoleMessages.reasons[why.reason ?? 'unknown'];
  const name = person.firstName;
  const words = { name, module, reason, until: until === null ? '' : timeOf(until, page) };
  return (
    <section className="c-verdict" aria-labelledby="why">
      <span className="c-door">
        <Porch door={DOORS[cause] ?? 'shut'} view="mini" />
      </span>
      <div>
        <h2 id="why">{fill(causes[cause], words)}</h2>
        <p>{fill(why.waitsFor ? t.mendAsked[why.waitsFor] : t.mend[cause], { name })}</p>
      </div>
      {mend && (
        <p className="c-act">
          <a className="c-glow" href={`/console/people/${person.id}/${mend}`}>
            {t.verb[mend]}
          </a>
        </p>
      )}
    </section>
  );
}

/** Renders the change that staff asked for and that does not count yet. */
function Waiting({ page }: { readonly page: Page }) {
  const { change, person } = page;
  if (!change) return null;
  const { what, to, askedBy, askedAt, waitsFor, dueAt } = change;
  const when = dueAt === null ? '' : whenOf(dueAt, page);
  return (
    <div className="c-waits">
      <Alert tone="info" title={t.waiting.title}>
        <p>{fillNodes(t.waiting.what[what], { to: <Contacts to={to} /> })}</p>
        <p>{fill(t.waiting.asked, { name: askedBy, when: whenOf(askedAt, page) })}</p>
        <p>{fill(t.waiting.for[waitsFor], { name: person.firstName, when })}</p>
      </Alert>
    </div>
  );
}

function About({ page }: { readonly page: Page }) {
  const { person, sessions } = page;
  const devices =
    sessions === 0
      ? t.sessionNone
      : sessions === 1
        ? t.sessionOne
        : fill(t.sessions, { count: sessions });
  return (
    <>
      <h2 id="who">{t.whoThisIs}</h2>
      <p>{fill(t.since, { date: dateOf(person.since, page) })}</p>
      <p>{fillNodes(t.emailIs, { email: <Address email={person.email} /> })}</p>
      <p>
        {person.phone === ''
          ? t.noPhone
          : fillNodes(t.phone, { phone: <Phone number={person.phone} /> })}
      </p>
      {person.trialEnds !== null && (
        <p>{fill(t.trialUntil, { date: dateOf(person.trialEnds, page) })}</p>
      )}
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

const GRAVE: ReadonlySet<string> = new Set(['suspend', 'erase']);

/** Renders the verbs; one that would do nothing stays, dashed, and says why. */
function Verbs({ page }: { readonly page: Page }) {
  const { person, verbs } = page;
  return (
    <ul className="c-verbs">
      {verbs.map(({ verb, rest }) => (
        <li key={verb}>
          <a
            className={`c-verb${rest ? ' c-no' : ''}${GRAVE.has(verb) && !rest ? ' c-grave' : ''}`}
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
}
