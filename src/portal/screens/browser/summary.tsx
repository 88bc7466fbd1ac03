import { useRef, useState } from 'react';
import { browser as t } from '#texts/browser.ts';
import { Button } from '../../ui/button.tsx';
import { announce } from '../../ui/live-region.tsx';
import { showToast } from '../../ui/show-toast.ts';
import styles from './browser.module.css';
import { type Finding, summaryOf } from './words.ts';

/** Shows the findings for the help desk, to be copied. */
export function Summary({ findings }: { findings: readonly Finding[] }) {
  const lines = useRef<HTMLPreElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(lines.current?.textContent ?? '');
      setCopied(true);
      showToast('info', t.copied);
    } catch {
      // No clipboard: the lines are selected, ready to be copied by hand.
      if (lines.current) getSelection()?.selectAllChildren(lines.current);
      announce(t.marked);
    }
  };
  return (
    <details className={styles.summary}>
      <summary>{t.summaryTitle}</summary>
      <p>{t.summaryText}</p>
      <pre ref={lines}>{summaryOf(findings)}</pre>
      <Button variant="secondary" wide={false} icon="clipboard-list" onClick={() => void copy()}>
        {t.copy}
      </Button>
      {isCopied && <p>{t.copied}</p>}
    </details>
  );
}
