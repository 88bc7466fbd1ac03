import { keyFailed as t } from '#texts/key-failed.ts';
import { keyProblems } from '#texts/key-problems.ts';
import { fill } from '#locales/fill.ts';
import { KEY_PROBLEMS } from '#domain/proofs/passkeys.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { useAppContext, useView } from '../../flow/app-context.ts';
import { KeyButton } from '../../flow/key-button.tsx';
import { afterKey, backToForm } from '../../flow/key-ways.ts';
import { useLink } from '../../flow/link.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { buttonClass } from '../../ui/button.tsx';
import { BackLink } from '../../ui/link-row.tsx';
import { Note } from '../../ui/note.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import styles from './key-failed.module.css';

/** Says in one sentence why a passkey did not work, and shows two ways on. Nothing typed is lost. */
function KeyFailed() {
  const view = useView();
  const { entrance, search } = view;
  const context = useAppContext();
  const back = useLink(pathOf('signIn', entrance));
  const asked = new URLSearchParams(search).get('why');
  const why = KEY_PROBLEMS.find((each) => each === asked) ?? 'refused';
  return (
    <>
      <BackLink href={pathOf('signIn', entrance)}>{t.backToLogin}</BackLink>
      <PageHeading lead={fill(t.failedLead, { why: keyProblems[why] })}>
        {t.failedTitle}
      </PageHeading>
      <div className={styles.ways}>
        <section>
          <h2>{t.again}</h2>
          <p>{t.againText}</p>
          <KeyButton
            label={t.againButton}
            act={({ signInWithKey }, api) => signInWithKey(api, { entrance, isInField: false })}
            onDone={() => afterKey(view)}
          />
        </section>
        <section>
          <h2>{t.without}</h2>
          <p>{t.withoutText}</p>
          <a
            href={back.href}
            className={buttonClass('secondary', true)}
            onClick={(event) => {
              if (backToForm(context, entrance)) event.preventDefault();
            }}
          >
            {t.withoutButton}
          </a>
        </section>
      </div>
      <Note icon="info">{t.eachTime}</Note>
    </>
  );
}

export const screen: ScreenModule = {
  title: () => t.failedTitle,
  View: KeyFailed,
  panel: () => ({ title: t.panelTitle, text: t.panelText }),
  thing: 'nail',
};
