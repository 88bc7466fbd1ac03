import { interactions as t } from '#locales/en/interactions.ts';
import { fill } from '#locales/fill.ts';
import { pathOf } from '#domain/screens.ts';
import { useInteractionAnswer } from '../../flow/answer-interaction.ts';
import { FormProblem } from '../../flow/form-problem.tsx';
import { useLink } from '../../flow/link.ts';
import { OfflineNote } from '../../flow/offline-note.tsx';
import { useView } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Alternative } from '../../ui/link-row.tsx';
import { MemberCard } from '../../ui/member-card.tsx';
import { Note } from '../../ui/note.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import styles from './consent.module.css';

type Scope = keyof typeof t.scopes;

const isKnown = (scope: string): scope is Scope => scope in t.scopes;

/** Consent: which scopes the OAuth client asks for, in plain words, and the two answers. */
function Consent() {
  const { client, login } = useView().visit;
  const { answer, isPending, problem } = useInteractionAnswer();
  const out = useLink(pathOf('signOut'));
  const name = client?.clientName ?? '';
  return (
    <>
      <PageHeading>{fill(t.consentTitle, { client: name })}</PageHeading>
      {login && <MemberCard name={login.memberName} email={login.userName} />}
      <OfflineNote />
      <FormProblem problem={problem} />
      <div className={styles.about}>
        <p>{fill(t.consentLead, { client: name })}</p>
        <ul className={styles.scopes}>
          {(client?.scopes ?? []).map((scope) => (
            <li key={scope}>
              <Icon name="check" size="s" />
              {isKnown(scope) ? t.scopes[scope] : fill(t.apiScope, { scope })}
            </li>
          ))}
        </ul>
        <Note icon="shield-check">{t.consentNever}</Note>
        <p>{fill(t.consentKept, { client: name })}</p>
      </div>
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
      <Alternative>
        <a {...out}>{t.notYou}</a>
      </Alternative>
    </>
  );
}

export const screen: ScreenModule = {
  title: ({ visit }) => fill(t.consentTitle, { client: visit.client?.clientName ?? '' }),
  View: Consent,
};
