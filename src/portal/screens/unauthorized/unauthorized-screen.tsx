import { pages as t } from '#texts/pages.ts';
import { fill } from '#locales/fill.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { useLink } from '../../flow/link.ts';
import { MessageText, PorchPage } from '../../flow/message-page.tsx';
import { useAppContext } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { useLeaving } from './leaving.ts';
import styles from './unauthorized.module.css';

/** Shows that there is no app for this account. After 5 s it goes to sign-in, unless the visitor interacts (SCR-03). */
function Unauthorized() {
  const { go, flashMessage } = useAppContext();
  const signIn = useLink(pathOf('signIn'));
  const { secondsLeft, stay } = useLeaving(() => {
    flashMessage.set({ notice: t.unauthorizedPlain });
    go(pathOf('signIn'));
  });
  return (
    <PorchPage door="ajar" thing="cone" title={t.unauthorizedTitle}>
      <MessageText>
        <p>{t.unauthorizedPlain}</p>
        <p>
          {secondsLeft === null
            ? t.stayed
            : fill(t.unauthorizedCountdown, { seconds: secondsLeft })}
        </p>
      </MessageText>
      <div className={styles.actions}>
        <a {...signIn} className={buttonClass('primary', false)}>
          {t.signIn}
        </a>
        {/* Last, because it disappears when a pointer moves, and no other button may take its place. */}
        {secondsLeft !== null && (
          <Button variant="secondary" onClick={stay}>
            {t.stay}
          </Button>
        )}
      </div>
    </PorchPage>
  );
}

export const screen: ScreenModule = { title: () => t.unauthorizedTitle, View: Unauthorized };
