import type { ReactNode } from 'react';
import type { ConsolePage } from '#contract/console.ts';
import { fill } from '#locales/fill.ts';
import { consoleTexts as t } from '#locales/operator/console.ts';
import { Icon } from '#portal/ui/icon.tsx';
import { pathOf } from '#domain/flow/screens.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import styles from './frame.module.css';
import parts from './parts.module.css';

type FrameProps = { readonly page: ConsolePage; readonly children: ReactNode };

/** Renders the bar above each page: where this is, who is here, and the way out. */
export function Frame({ page, children }: FrameProps) {
  const { staff } = page;
  return (
    <div className={styles.desk}>
      <a className={styles.skip} href="#page">
        {t.skip}
      </a>
      <header className={styles.bar}>
        <p className={styles.id}>
          <Icon name="mark" />
          <span>
            {t.role[staff.role]}
            <small>{staff.subtenant}</small>
          </span>
        </p>
        <nav aria-label={t.role[staff.role]}>
          {inBar(page).map((area) => (
            <a key={area} href={consolePath(area)} aria-current={currentOf(page, area)}>
              {t.area[area]}
            </a>
          ))}
          {inMore(page).length > 0 && (
            <a href={consolePath('more')} aria-current={currentOf(page, 'more')}>
              {t.more}
            </a>
          )}
        </nav>
        <form className={styles.me} method="post" action={consolePath('signOut')}>
          <a href={pathOf('myAccount')} aria-label={fill(t.myAccount, { name: staff.name })}>
            <Icon name="user" />
            <bdi>{staff.name}</bdi>
          </a>
          <Fields page={page} />
          <button type="submit">{t.signOut}</button>
        </form>
      </header>
      <main className={styles.page} id="page" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

const BAR_SIZE = 4;
type Areas = Pick<ConsolePage, 'areas'>;
const inBar = ({ areas }: Areas) => areas.slice(0, BAR_SIZE);
const inMore = ({ areas }: Areas) => areas.slice(BAR_SIZE);

/** Marks the entry of the page's area; an area without room in the bar is under "More". */
function currentOf(page: ConsolePage, entry: ConsolePage['area']) {
  const isHere =
    page.area === entry || (entry === 'more' && inMore(page).some((area) => area === page.area));
  if (!isHere) return undefined;
  return ['search', 'list', 'more'].includes(page.kind) ? 'page' : 'true';
}

/** Renders the list of the areas that the bar has no room for. */
export function MorePage({ page }: { readonly page: ConsolePage }) {
  return (
    <>
      <h1>{t.more}</h1>
      <ul className={styles.areas}>
        {inMore(page).map((area) => (
          <li key={area}>
            <a className={parts.tap} href={consolePath(area)}>
              {t.area[area]}
            </a>
            <span>{t.areaLead[area]}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Renders the hidden fields of each form: the proof that the page was ours, and which page it was. */
export function Fields({ page }: { readonly page: Pick<ConsolePage, 'xsrf' | 'once'> }) {
  return (
    <>
      <input type="hidden" name="xsrf" value={page.xsrf} />
      <input type="hidden" name="once" value={page.once} />
    </>
  );
}
