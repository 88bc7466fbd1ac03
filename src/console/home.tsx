import type { ConsoleHome } from '#contract/console.ts';
import { homeDesk as t } from '#locales/operator/figures.ts';
import { Note } from '#portal/ui/note.tsx';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import styles from './figures.module.css';
import { countWords } from './messages-page.tsx';
import parts from './parts.module.css';
import { State } from './parts.tsx';

/** Renders what waits for the staff member, below the search. */
export function Home({ home }: { readonly home: ConsoleHome }) {
  const { changes, cameBack, pageCodes, looked, signIns } = home;
  const isCalm = changes.length + cameBack + pageCodes === 0;
  return (
    <div className={styles.home}>
      <People title={t.changes} people={changes} />
      {cameBack > 0 && (
        <p>
          <a className={parts.tap} href={consolePath('messages')}>
            <State tone="bad">{countWords(cameBack, t.cameBack)}</State>
          </a>
        </p>
      )}
      {pageCodes > 0 && <p>{countWords(pageCodes, t.pageCodes)}</p>}
      {isCalm && <State tone="ok">{t.calm}</State>}
      <People title={t.looked} people={looked} />
      <p className={parts.small}>{countWords(signIns, t.signIns)}</p>
      {changes.length + looked.length > 0 && <Note icon="eye">{t.written}</Note>}
    </div>
  );
}

type PeopleProps = { readonly title: string; readonly people: ConsoleHome['looked'] };

function People({ title, people }: PeopleProps) {
  if (people.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul className={parts.buttons}>
        {people.map(({ id, name }) => (
          <li key={id}>
            <a className={parts.tap} href={consolePath('people', id)}>
              <bdi>{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
