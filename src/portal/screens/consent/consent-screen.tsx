import { firstLetters } from '#domain/text/first-letters.ts';
import { interactions as t } from '#texts/interactions.ts';
import { fill } from '#locales/fill.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { useInteractionAnswer } from '../../flow/answer-interaction.ts';
import { FormProblem } from '../../flow/form-problem.tsx';
import { useLink } from '../../flow/link.ts';
import { OfflineNote } from '../../flow/offline-note.tsx';
import { useSubtenant, useView } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { Button } from '../../ui/button.tsx';
import { Address } from '../../ui/contacts.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Note } from '../../ui/note.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import styles from './consent.module.css';

type Scope = keyof typeof t.scopes;

const isKnown = (scope: string): scope is Scope => scope in t.scopes;

/** Asks for consent: the scopes of the OAuth client, in plain words, and the two answers. */
function Consent() {
  const { client, login } = useView().visit;
  const { name: house, logoUrl } = useSubtenant();
  const { answer, isPending, problem } = useInteractionAnswer();
  const out = useLink(pathOf('signOut'));
  const name = client?.clientName ?? '';
  return (
    <>
      <PageHeading>{fill(t.consentTitle, { client: name })}</PageHeading>
      <div className={styles.houses}>
        <span className={styles.house} aria-hidden="true">
          {logoUrl ? (
            <img src={logoUrl} alt="" loading="lazy" referrerPolicy="no-referrer" />
          ) : (
            firstLetter(house)
          )}
        </span>
        <span className={styles.dots} aria-hidden="true" />
        <span className={`${styles.house} ${styles.other}`} aria-hidden="true">
          {firstLetter(name)}
        </span>
        {login && (
          <div className={styles.who}>
            <p>
              <strong>{login.memberName}</strong>
            </p>
            <p>
              <Address email={login.userName} />
            </p>
            <p>
              <a {...out}>{t.notYou}</a>
            </p>
          </div>
        )}
      </div>
      <OfflineNote />
      <FormProblem problem={problem} />
      <h2 className={styles.lead}>{fill(t.consentLead, { client: name })}</h2>
      <ul className={styles.scopes}>
        {(client?.scopes ?? []).map((scope) => (
          <li key={scope}>
            <Icon name="check" />
            {isKnown(scope) ? t.scopes[scope] : fill(t.apiScope, { scope })}
          </li>
        ))}
      </ul>
      <Note icon="lock">{t.consentNever}</Note>
      <div className={styles.answers}>
        <Button
          pending={isPending}
          pendingLabel={fill(t.allowing, { client: name })}
          action="allow"
          onClick={() => answer('allowInteraction')}
        >
          {t.allow}
        </Button>
        <Button
          variant="secondary"
          wide
          pending={isPending}
          action="deny"
          onClick={() => answer('denyInteraction')}
        >
          {t.deny}
        </Button>
      </div>
      <p className={styles.kept}>{fill(t.consentKept, { client: name })}</p>
    </>
  );
}

const firstLetter = (name: string) => firstLetters(name, 1).toUpperCase();

export const screen: ScreenModule = {
  title: ({ visit }) => fill(t.consentTitle, { client: visit.client?.clientName ?? '' }),
  View: Consent,
  panel: ({ visit }) => ({
    title: t.consentPanelTitle,
    text: fill(t.consentPanelText, { client: visit.client?.clientName ?? '' }),
  }),
  thing: 'basket',
};
