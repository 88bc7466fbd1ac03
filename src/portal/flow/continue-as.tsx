import { signIn as t } from '#locales/en/sign-in.ts';
import { fill } from '#locales/fill.ts';
import type { EntryPoint } from '#domain/role-routing.ts';
import { pathOf } from '#domain/screens.ts';
import type { Login } from '#domain/visit.ts';
import { useLink } from './link.ts';
import { Alert } from '../ui/alert.tsx';
import { buttonClass } from '../ui/button.tsx';
import { Alternative } from '../ui/link-row.tsx';

/** For a visitor who is signed in already: one button goes on. The form below stays for another account. */
export function ContinueAs({ login, entryPoint }: { login: Login; entryPoint: EntryPoint }) {
  const onward = useLink(pathOf('redirect', entryPoint));
  const out = useLink(pathOf('signOut'));
  return (
    <Alert tone="info" title={t.alreadyIn}>
      <a {...onward} className={buttonClass('secondary', true)}>
        {fill(t.continueAs, { name: login.memberName })}
      </a>
      <Alternative>
        <a {...out}>{t.notYou}</a>
      </Alternative>
    </Alert>
  );
}
