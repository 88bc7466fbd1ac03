import type { ReactNode } from 'react';
import { signIn as t } from '#texts/sign-in.ts';
import { fill } from '#locales/fill.ts';
import type { Entrance } from '#domain/people/role-routing.ts';
import { pathOf } from '#domain/flow/screens.ts';
import type { Login } from '#domain/flow/visit.ts';
import { useFormActions } from '../lib/form-actions.ts';
import { useLink } from './link.ts';
import { buttonClass } from '../ui/button.tsx';
import { Alternative } from '../ui/link-row.tsx';
import styles from './continue-as.module.css';

type ContinueAsProps = {
  readonly login: Login | null;
  readonly entrance: Entrance;
  /** The form, also for another account. */
  readonly children: ReactNode;
};

/** Shows the form; a visitor with a session is offered to continue first. */
export function ContinueAs({ login, entrance, children }: ContinueAsProps) {
  const onward = useLink(pathOf('redirect', entrance));
  const out = useLink(pathOf('signOut'));
  // The errors of a sent form must be visible.
  const isAnswer = (useFormActions()?.sent ?? null) !== null;
  if (!login) return children;
  return (
    <div className={styles.ways}>
      <a {...onward} className={buttonClass('primary', true)}>
        {fill(t.continueAs, { name: login.memberName })}
      </a>
      <details className={styles.other} open={isAnswer}>
        <summary className={buttonClass('secondary', true)}>{t.otherAccount}</summary>
        {children}
      </details>
      <Alternative>
        <a {...out}>{t.notYou}</a>
      </Alternative>
    </div>
  );
}
