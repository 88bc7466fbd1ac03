import { useEffect, useRef } from 'react';
import { browser } from '#locales/en/browser.ts';
import { privacy as texts } from '#locales/en/privacy.ts';
import type { PrivacyHelp as Variant } from '#domain/privacy-help.ts';
import { pathOf } from '#domain/screens.ts';
import { useLink } from '../../flow/link.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Alternative } from '../../ui/link-row.tsx';
import styles from './privacy-help.module.css';

/** What to change in a browser that hides the session from this page (GEN-10, RED-05). */
export function PrivacyHelp({ variant, onHide }: { variant: Variant; onHide: () => void }) {
  const check = useLink(pathOf('browser'));
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section aria-label={texts.title}>
      <Alert tone="info" title={texts.title} focusRef={box}>
        <p>{texts.why}</p>
        <ol className={styles.steps}>
          {texts.steps[variant].map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <p>{texts.after}</p>
        <Alternative>
          <a {...check}>{browser.link}</a>
        </Alternative>
        <div className={styles.actions}>
          <Button wide={false} icon="refresh-cw" onClick={() => location.reload()}>
            {texts.tryAgain}
          </Button>
          <Button variant="secondary" onClick={onHide}>
            {texts.hide}
          </Button>
        </div>
      </Alert>
    </section>
  );
}
