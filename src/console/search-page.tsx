import { consolePath } from '#domain/help-desk/console-paths.ts';
import { firstLetters } from '#domain/text/first-letters.ts';
import {
  type ConsoleFrame,
  type FoundPerson,
  PEOPLE_FILTERS,
  PEOPLE_ORDERS,
  type PeopleQuery,
  type SearchPage as Data,
} from '#contract/console.ts';
import { fill } from '#locales/fill.ts';
import { consoleTexts as t } from '#locales/operator/console.ts';
import { buttonClass } from '#portal/ui/button.tsx';
import { Address } from '#portal/ui/contacts.tsx';
import { Note } from '#portal/ui/note.tsx';
import form from './form.module.css';
import { Home } from './home.tsx';
import { TableHead } from './list-page.tsx';
import { momentText } from './moments.ts';
import parts from './parts.module.css';
import { ButtonLink, Choices, Pages, State, type Tone } from './parts.tsx';
import styles from './table.module.css';

type Page = ConsoleFrame & Data;

/** Renders the search for a person and the people that it found. */
export function SearchPage({ page }: { readonly page: Page }) {
  const { query, found, home } = page;
  return (
    <>
      <div className={parts.line}>
        <h1>{t.findTitle}</h1>
        <ButtonLink href={consolePath('invite')}>{t.inviteSomebody}</ButtonLink>
      </div>
      <form className={form.search} method="get" action={consolePath('people')} role="search">
        <label htmlFor="q" className="visually-hidden">
          {t.searchLabel}
        </label>
        <input
          id="q"
          name="q"
          className={`${parts.box} ${form.input}`}
          type="search"
          defaultValue={query.text}
          aria-describedby="q-hint"
          autoComplete="off"
          spellCheck={false}
        />
        <button type="submit" className={buttonClass('primary', false)}>
          {t.search}
        </button>
        <p className={parts.small} id="q-hint">
          {t.searchHint}
        </p>
      </form>
      {home && <Home home={home} />}
      {found && <Found page={page} found={found} />}
    </>
  );
}

type FoundPeople = NonNullable<Data['found']>;

function Found({ page, found }: { readonly page: Page; readonly found: FoundPeople }) {
  const { query } = page;
  const { people, counts, hasMore, pages } = found;
  // Of two beginnings that thousands of people have, not all were looked at.
  const isEmptyCut = hasMore && counts.all === 0;
  return (
    <>
      <div className={parts.line}>
        <p role="status">
          {isEmptyCut ? t.matchMore : matchText(query, counts.all, page.staff.role)}
        </p>
        {counts.all > 0 && <Shown query={query} counts={counts} />}
      </div>
      {hasMore && !isEmptyCut && <Note icon="info">{t.matchMore}</Note>}
      {people.length > 0 && <PeopleTable page={page} people={people} />}
      <Pages page={query.page} pages={pages} hrefOf={(page) => hrefOf({ ...query, page })} />
      {people.length > 0 && <Note icon="eye">{t.lookNote}</Note>}
    </>
  );
}

function matchText({ text }: PeopleQuery, count: number, role: Page['staff']['role']): string {
  if (count === 0) {
    return role === 'operator' ? fill(t.matchNoneOperator, { text }) : fill(t.matchNone, { text });
  }
  return count === 1 ? fill(t.matchOne, { text }) : fill(t.match, { text, count });
}

type ShownProps = Pick<Data, 'query'> & Pick<FoundPeople, 'counts'>;

function Shown({ query, counts }: ShownProps) {
  return (
    <div className={parts.buttons}>
      <Choices
        label={t.filters}
        choices={PEOPLE_FILTERS.map((filter) => ({
          href: hrefOf({ ...query, filter, page: 1 }),
          label: `${t.filter[filter]} ${counts[filter]}`,
          isCurrent: query.filter === filter,
        }))}
      />
      <Choices
        label={t.orders}
        choices={PEOPLE_ORDERS.map((order) => ({
          href: hrefOf({ ...query, order, page: 1 }),
          label: t.order[order],
          isCurrent: query.order === order,
        }))}
      />
    </div>
  );
}

type PeopleProps = Pick<FoundPeople, 'people'> & { readonly page: Page };

function PeopleTable({ page, people }: PeopleProps) {
  return (
    <table className={`${styles.table} ${styles.people}`}>
      <TableHead columns={[t.person, t.email, t.canSignIn, t.lastSignIn]} />
      <tbody>
        {people.map((person) => (
          <tr key={person.id}>
            <th scope="row">
              <span className={parts.window} aria-hidden="true">
                {initialsOf(person.name)}
              </span>
              <a className={parts.tap} href={personHref(person, page.query)}>
                <bdi>{person.name}</bdi>
              </a>
              {page.staff.role === 'operator' && (
                <small className={parts.small}>{person.subtenant}</small>
              )}
            </th>
            <td data-label={t.email}>
              <Address email={person.email} />
              {person.movedAt !== null && (
                <small className={parts.small}>
                  {fill(t.foundByOld, { when: momentText(person.movedAt, page) })}
                </small>
              )}
            </td>
            <td data-label={t.canSignIn}>
              <State tone={TONES[person.cause] ?? 'bad'}>{t.short[person.cause]}</State>
            </td>
            <td data-label={t.lastSignIn}>
              {person.lastSignIn === null ? t.never : momentText(person.lastSignIn, page)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The page of a person leads back to this search. */
const personHref = ({ id }: FoundPerson, { text }: PeopleQuery) =>
  `${consolePath('people', id)}?${String(new URLSearchParams({ q: text }))}`;

/** The tone of each cause; the others keep the person out. */
const TONES: Readonly<Partial<Record<FoundPerson['cause'], Tone>>> = {
  nothing: 'ok',
  neverVerified: 'wait',
  noPassword: 'wait',
  codeNotTyped: 'wait',
  appCodeNotTyped: 'wait',
  changeWaits: 'wait',
  offByOrganisation: 'off',
  notLinked: 'wait',
  switchedOff: 'off',
};

function hrefOf({ text, filter, order, page }: PeopleQuery): string {
  const query = new URLSearchParams({
    q: text,
    ...(filter !== 'all' && { show: filter }),
    ...(order !== 'name' && { order }),
    ...(page > 1 && { page: String(page) }),
  });
  return `${consolePath('people')}?${String(query)}`;
}

/** Returns the first letters of the first and the last name. */
export function initialsOf(name: string): string {
  const words = name.split(' ').filter(Boolean);
  const ends = words.length > 1 ? [...words.slice(0, 1), ...words.slice(-1)] : words;
  return ends.map((word) => firstLetters(word, 1).toUpperCase()).join('');
}
