import { pages as texts } from '#locales/en/pages.ts';
import { fill } from '#locales/fill.ts';
import { pathOf } from '#domain/screens.ts';
import { useLink } from '../../flow/link.ts';
import { MessageText } from '../../flow/message-page.tsx';
import { useAppContext } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { useLeaving } from './leaving.ts';
import styles from './unauthorized.module.css';

/** No app for this account. After 5 s it goes to sign-in, unless anything is touched (SCR-03). */
function Unauthorized() {
  const { go, flashMessage } = useAppContext();
  const signIn = useLink(pathOf('signIn'));
  const { secondsLeft, stay } = useLeaving(() => {
    flashMessage.set({ notice: texts.unauthorizedPlain });
    go(pathOf('signIn'));
  });
  return (
    <>
      <Drawing name="door-ajar-cone" />
      <PageHeading>{texts.unauthorizedTitle}</PageHeading>
      <MessageText>
        <p>{texts.unauthorizedPlain}</p>
        <p>
          {secondsLeft === null
            ? texts.stayed
            : fill(texts.unauthorizedCountdown, { seconds: secondsLeft })}
        </p>
      </MessageText>
      <div className={styles.actions}>
        {secondsLeft !== null && (
          <Button variant="secondary" onClick={stay}>
            {texts.stay}
          </Button>
        )}
        <a {...signIn} className={buttonClass('primary', false)}>
          {texts.signIn}
        </a>
      </div>
    </>
  );
}

export const screen: ScreenModule = { title: () => texts.unauthorizedTitle, View: Unauthorized };
