import { useEffect, useRef, useState } from 'react';
import type { BrowserFacts } from '#domain/proofs/browser-check.ts';
import { browser as t } from '#texts/browser.ts';
import { fill } from '#locales/fill.ts';
import { Checking } from '../../flow/checking.tsx';
import { useAppContext } from '../../flow/app-context.ts';
import { useLink } from '../../flow/link.ts';
import { pathOf } from '#domain/flow/screens.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { offerContinue } from '../../lib/native-form.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { announce } from '../../ui/live-region.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { showToast } from '../../ui/show-toast.ts';
import styles from './browser.module.css';
import { collectFacts } from './facts.ts';
import { type Finding, browserFindings, helpDeskSummary } from './words.ts';

/** Checks the requirements of signing in with this browser, in plain words. */
function Browser() {
  const { facts, check } = useFacts();
  return facts ? (
    <Findings facts={facts} onAgain={check} />
  ) : (
    <>
      <PageHeading>{t.title}</PageHeading>
      <Checking withoutScript={t.checks.script.bad}>{t.checking}</Checking>
    </>
  );
}

/** Lists required changes first, with their remedy; below it a lit window for each passed check. */
function Findings({ facts, onAgain }: { facts: BrowserFacts; onAgain: () => void }) {
  const back = useLink(pathOf('signIn'));
  const findings = browserFindings(facts);
  const faults = findings.filter(({ verdict }) => verdict !== 'good');
  return (
    <>
      <PageHeading>{t.title}</PageHeading>
      <p role="status" className={styles.verdict}>
        {summaryText(findings)}
      </p>
      {faults.length > 0 && (
        <section className={styles.fix}>
          {faults.map(({ check, verdict, name, lines }) => (
            <div key={check} className={styles.row}>
              <Window />
              <div>
                <h2>{fill(t.line, { name, value: t.verdicts[verdict] })}</h2>
                {lines.map((line) => (
                  <p key={line}>{line}</p>
                ))}
              </div>
            </div>
          ))}
          <Button icon="refresh-cw" onClick={onAgain}>
            {t.again}
          </Button>
        </section>
      )}
      <ul className={styles.works}>
        {findings
          .filter(({ verdict }) => verdict === 'good')
          .map(({ check, name, lines }) => (
            <li key={check} className={styles.row}>
              <Window isLit />
              <div>
                <h2>
                  {name} <em>{t.works}</em>
                </h2>
                {lines.map((line) => (
                  <p key={line}>{line}</p>
                ))}
              </div>
            </li>
          ))}
      </ul>
      {faults.length === 0 && (
        <a {...back} className={buttonClass('primary', true)}>
          {t.toSignIn}
        </a>
      )}
      <Summary findings={findings} />
      <p className={styles.ways}>
        {faults.length > 0 ? (
          <a {...back}>{t.toSignIn}</a>
        ) : (
          <Button variant="quiet" icon="refresh-cw" onClick={onAgain}>
            {t.again}
          </Button>
        )}
      </p>
    </>
  );
}

/** Shows the findings for the help desk, to be copied. */
function Summary({ findings }: { findings: readonly Finding[] }) {
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
      <pre ref={lines}>{helpDeskSummary(findings)}</pre>
      <Button variant="secondary" wide={false} icon="clipboard-list" onClick={() => void copy()}>
        {t.copy}
      </Button>
      {isCopied && <p>{t.copied}</p>}
    </details>
  );
}

/** Shows a window, lit for a passed check. */
function Window({ isLit = false }: { isLit?: boolean }) {
  return (
    <svg
      className={isLit ? `${styles.window} ${styles.lit}` : styles.window}
      viewBox="0 0 56 64"
      aria-hidden="true"
    >
      <path className={styles.frame} d="M6 60V28a22 22 0 0 1 44 0v32z" />
      <path className={styles.pane} d="M11 55V28a17 17 0 0 1 34 0v27z" />
      <path className={styles.half} d="M11 55V28a17 17 0 0 1 17-17v44z" />
      <path className={styles.bars} d="M28 10v46M10 34h36" />
      <path className={styles.sill} d="M3 59h50v5H3z" />
    </svg>
  );
}

function summaryText(findings: readonly Finding[]): string {
  if (findings.some(({ verdict }) => verdict === 'bad')) return t.someBad;
  return findings.some(({ verdict }) => verdict === 'unknown') ? t.someUnknown : t.allGood;
}

function useFacts(): { readonly facts: BrowserFacts | null; readonly check: () => void } {
  const { api } = useAppContext();
  const [facts, setFacts] = useState<BrowserFacts | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isHere = true;
    collectFacts(api).then((found) => {
      if (isHere) setFacts(found);
    }, offerContinue);
    return () => {
      isHere = false;
    };
  }, [api, round]);
  const check = () => {
    setFacts(null);
    setRound((count) => count + 1);
  };
  return { facts, check };
}

export const screen: ScreenModule = {
  title: () => t.title,
  View: Browser,
  panel: () => ({ title: t.panelTitle, text: t.lead }),
};
