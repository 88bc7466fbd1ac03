import type { ConsoleFrame, ListCell, ListPage as Data, ListRow } from '#contract/console.ts';
import { fill } from '#locales/fill.ts';
import { consoleTexts as t } from '#locales/operator/console.ts';
import { deskTexts } from '#locales/operator/console-areas.ts';
import { buttonClass } from '#portal/ui/button.tsx';
import { WithAddresses } from '#portal/ui/with-addresses.tsx';
import { Field } from './field.tsx';
import form from './form.module.css';
import { momentText } from './moments.ts';
import parts from './parts.module.css';
import { ButtonLink, Done, Pages, State } from './parts.tsx';
import styles from './table.module.css';

type Page = ConsoleFrame & Data;

/** Renders a list of an area: the search, the table, its pages, and the list as a file. */
export function ListPage({ page }: { readonly page: Page }) {
  const { title, lead, path, query, fields, links, rows, count, done } = page;
  return (
    <>
      <div className={parts.line}>
        <h1>{title}</h1>
        <p className={parts.buttons}>
          {links.map(({ label, href }) => (
            <ButtonLink key={href} href={href}>
              {label}
            </ButtonLink>
          ))}
        </p>
      </div>
      <p className={parts.lead}>{lead}</p>
      <Done words={done} />
      {fields.length > 0 && (
        <form className={form.filter} method="get" action={path} role="search">
          {fields.map((field) => (
            <Field key={field.name} field={field} />
          ))}
          <button type="submit" className={buttonClass('primary', false)}>
            {deskTexts.show}
          </button>
        </form>
      )}
      <div className={parts.line}>
        <p role="status">
          {count === 0
            ? page.empty
            : count === 1
              ? deskTexts.countOne
              : fill(deskTexts.count, { count })}
        </p>
        {count > 0 && (
          <a className={parts.tap} href={withQuery(`${path}/csv`, query)}>
            {deskTexts.csv}
          </a>
        )}
      </div>
      {rows.length > 0 && <Table columns={page.columns} rows={rows} zone={page} />}
      <Pages
        page={page.page}
        pages={page.pages}
        hrefOf={(number) => {
          const words = new URLSearchParams(query);
          words.set('page', String(number));
          return withQuery(path, String(words));
        }}
      />
    </>
  );
}

const withQuery = (path: string, query: string) => (query === '' ? path : `${path}?${query}`);

type Zone = Pick<ConsoleFrame, 'now' | 'timeZone'>;

type TableHeadProps = { readonly columns: readonly string[]; readonly hasActions?: boolean };

/** Renders the names of a table's columns. */
export const TableHead = ({ columns, hasActions = false }: TableHeadProps) => (
  <thead>
    <tr>
      {columns.map((column) => (
        <th key={column} scope="col">
          {column}
        </th>
      ))}
      {hasActions && (
        <th scope="col">
          <span className="visually-hidden">{t.whatYouCanDo}</span>
        </th>
      )}
    </tr>
  </thead>
);

type TableProps = {
  readonly columns: readonly string[];
  readonly rows: readonly ListRow[];
  readonly zone: Zone;
};

/** Renders rows as a table; on narrow pages each cell says its column. */
export function Table({ columns, rows, zone }: TableProps) {
  const hasActions = rows.some(({ actions = [] }) => actions.length > 0);
  return (
    <table className={styles.table}>
      <TableHead columns={columns} hasActions={hasActions} />
      <tbody>
        {rows.map(({ id, cells: [first = '', ...cells], actions = [] }) => (
          <tr key={id}>
            <th scope="row">
              <Cell cell={first} zone={zone} />
            </th>
            {cells.map((cell, index) => (
              <td key={columns[index + 1]} data-label={columns[index + 1]}>
                <Cell cell={cell} zone={zone} />
              </td>
            ))}
            {hasActions && (
              <td className={styles.acts}>
                {actions.map(({ label, href }) => (
                  <a key={href} className={buttonClass('soft', false)} href={href}>
                    {label}
                    <span className="visually-hidden"> {cellText(first, zone)}</span>
                  </a>
                ))}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A word that may break within, because no column has room for it on one line. */
const LONG_WORD = /\S{20}/;

function cellText(cell: ListCell, zone: Zone): string {
  if (typeof cell === 'string') return cell;
  if ('at' in cell) return momentText(cell.at, zone);
  return cell.since === undefined ? cell.text : `${cell.text}, ${momentText(cell.since, zone)}`;
}

function Cell({ cell, zone }: { readonly cell: ListCell; readonly zone: Zone }) {
  const text = cellText(cell, zone);
  // A name of the other direction would move what is beside it.
  const drawn = (
    <bdi className={LONG_WORD.test(text) ? styles.long : undefined}>
      <WithAddresses text={text} />
    </bdi>
  );
  if (typeof cell === 'string' || 'at' in cell) return drawn;
  if (cell.isFolded) {
    return (
      <details>
        <summary className={parts.tap}>{t.more}</summary>
        <code>{drawn}</code>
      </details>
    );
  }
  if (cell.tone) return <State tone={cell.tone}>{drawn}</State>;
  if (!cell.href) return drawn;
  return (
    <a className={parts.tap} href={cell.href}>
      {drawn}
    </a>
  );
}
