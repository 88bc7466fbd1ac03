import { useEffect, useState } from 'react';
import { keyOffer as t } from '#texts/key-offer.ts';
import { passkeys } from '#texts/passkeys.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { useAppContext, useView } from '../../flow/app-context.ts';
import { KeyButton } from '../../flow/key-button.tsx';
import { useLink } from '../../flow/link.ts';
import { MessageText, PorchPage } from '../../flow/message-page.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { Alert } from '../../ui/alert.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import styles from './key-offer.module.css';

/** Offers to save a key, before the hand-off of a sign-in that worked. */
function KeyOffer() {
  const { entrance } = useView();
  const { api } = useAppContext();
  const [isSaved, setSaved] = useState(false);
  const onward = useLink(pathOf('redirect', entrance));
  useEffect(() => void api.call('keyOffer', { body: { outcome: 'shown' } }), [api]);
  useEffect(() => {
    if (isSaved) document.title = document.title.replace(t.offerTitle, t.offerSaved);
  }, [isSaved]);
  if (isSaved) {
    return (
      <PorchPage key="saved" door="wide" thing="key" title={t.offerSaved}>
        <MessageText>
          <p>{t.offerNext}</p>
          <p>{passkeys.stillWorks}</p>
        </MessageText>
        <a {...onward} className={buttonClass('primary', true)}>
          {t.goOn}
        </a>
      </PorchPage>
    );
  }
  return (
    <PorchPage door="wide" thing="device" title={t.offerTitle} isSmall>
      <MessageText>
        <p>{t.offerLead}</p>
      </MessageText>
      <div className={styles.warning}>
        <Alert tone="warning" title={passkeys.sharedTitle}>
          {t.offerShared}
        </Alert>
      </div>
      <Note icon="shield-check">{passkeys.stillWorks}</Note>
      <div className={styles.pair}>
        <div>
          <KeyButton
            label={passkeys.save}
            act={({ saveKey }, calls) => saveKey(calls)}
            onDone={() => setSaved(true)}
          />
        </div>
        <a
          href={onward.href}
          className={buttonClass('secondary', true)}
          onClick={(event) => {
            void api.call('keyOffer', { body: { outcome: 'later' } });
            onward.onClick(event);
          }}
        >
          {t.notNow}
        </a>
      </div>
    </PorchPage>
  );
}

export const screen: ScreenModule = { title: () => t.offerTitle, View: KeyOffer };
