import type { ReactNode } from 'react';
import type { ConsolePage } from '#contract/console.ts';
import { consoleTexts as t } from '#locales/operator/console.ts';
import { Icon } from '#portal/ui/icon.tsx';

/** Renders the bar above each page: where this is, who is here, and the way out. */
export function Frame({
  page,
  children,
}: {
  readonly page: ConsolePage;
  readonly children: ReactNode;
}) {
  const { staff } = page;
  return (
    <div className="c-desk">
      <a className="c-skip" href="#page">
        {t.skip}
      </a>
      <header className="c-bar">
        <p className="c-id">
          <Icon name="mark" />
          <span>
            {t.role[staff.role]}
            <small>{staff.subtenant}</small>
          </span>
        </p>
        <nav aria-label={t.role[staff.role]}>
          <a href="/console" aria-current={page.kind === 'search' ? 'page' : 'true'}>
            {t.people}
          </a>
        </nav>
        <form className="c-me" method="post" action="/console/sign-out">
          <span>{staff.name}</span>
          <Fields page={page} />
          <button type="submit">{t.signOut}</button>
        </form>
      </header>
      <main className="c-page" id="page" tabIndex={-1}>
        {children}
      </main>
    </div>
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
