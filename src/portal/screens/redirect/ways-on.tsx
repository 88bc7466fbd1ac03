import { redirect as t } from '#texts/redirect.ts';
import { ui } from '#texts/ui.ts';
import { pathOf } from '#domain/flow/screens.ts';
import type { Problem } from '#domain/flow/state.ts';
import { useLink } from '../../flow/link.ts';
import { useAppContext, useView } from '../../flow/app-context.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import styles from './ways-on.module.css';

/** Shows the links of this screen, for a sign-in that has stopped. */
export function WaysOn({ problem }: { problem: Problem | null }) {
  const { reopen } = useAppContext();
  const { entrance } = useView();
  const signIn = useLink(pathOf('signIn', entrance));
  const universal = useLink(pathOf('redirect'));
  const key = problem?.where === 'form' && 'key' in problem.say ? problem.say.key : null;
  const canRetry = problem?.where !== 'form' || problem.canRetry;
  return (
    <div className={styles.ways}>
      {key === 'notStaff' ? (
        <a {...universal} className={buttonClass('primary', false)}>
          {t.universalLogin}
        </a>
      ) : (
        <>
          {canRetry && (
            <Button wide={false} icon="refresh-cw" onClick={() => void reopen()}>
              {ui.tryAgain}
            </Button>
          )}
          <a {...signIn} className={buttonClass('secondary', false)}>
            {t.backToSignIn}
          </a>
        </>
      )}
    </div>
  );
}
