import { useEffect, useRef } from 'react';
import { privacy as t } from '#texts/privacy.ts';
import { ui } from '#texts/ui.ts';
import type { PrivacyHelp as Variant } from '#domain/people/privacy-help.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { useLink } from '../../flow/link.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Alternative } from '../../ui/link-row.tsx';
import styles from './privacy-help.module.css';

/** Shows the settings to change in a browser that hides the session from this page (GEN-10, RED-05). */
export function PrivacyHelp({ variant, onHide }: { variant: Variant; onHide: () => void }) {
  const check = useLink(pathOf('browser'));
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section aria-label={t.title}>
      <Alert tone="info" title={t.title} focusRef={box}>
        <p>{t.why}</p>
        <ol className={styles.steps}>
          {t.steps[variant].map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <p>{t.after}</p>
        <Alternative>
          <a {...check}>{ui.checkBrowser}</a>
        </Alternative>
        <div className={styles.actions}>
          <Button wide={false} icon="refresh-cw" onClick={() => location.reload()}>
            {ui.tryAgain}
          </Button>
          <Button variant="secondary" onClick={onHide}>
            {t.hide}
          </Button>
        </div>
      </Alert>
    </section>
  );
}
