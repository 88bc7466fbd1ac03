import { useEffect, useState } from 'react';
import type { BrowserFacts, Verdict } from '#domain/browser-check.ts';
import { browser as t } from '#locales/en/browser.ts';
import { fill } from '#locales/fill.ts';
import { Checking } from '../../flow/checking.tsx';
import { useAppContext } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { Alert, type Tone } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import styles from './browser.module.css';
import { collectFacts } from './facts.ts';
import { Summary } from './summary.tsx';
import { type Finding, findingsOf } from './words.ts';

const TONES: Readonly<Record<Verdict, Tone>> = {
  good: 'success',
  bad: 'danger',
  unknown: 'warning',
};

/** "Is my browser all right?": what signing in needs, tried out, in plain words. */
function Browser() {
  const { facts, check } = useFacts();
  return (
    <>
      <PageHeading lead={t.lead}>{t.title}</PageHeading>
      {facts ? (
        <Findings facts={facts} onAgain={check} />
      ) : (
        <Checking withoutScript={t.checks.script.bad}>{t.checking}</Checking>
      )}
    </>
  );
}

function Findings({ facts, onAgain }: { facts: BrowserFacts; onAgain: () => void }) {
  const findings = findingsOf(facts);
  return (
    <>
      <p role="status" className={styles.verdict}>
        {summaryText(findings)}
      </p>
      {findings.map(({ check, verdict, name, lines }) => (
        <Alert
          key={check}
          tone={TONES[verdict]}
          title={fill(t.line, { name, value: t.verdicts[verdict] })}
        >
          {lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </Alert>
      ))}
      <Button icon="refresh-cw" variant="secondary" onClick={onAgain}>
        {t.again}
      </Button>
      <Summary findings={findings} />
    </>
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
    void collectFacts(api).then((found) => {
      if (isHere) setFacts(found);
    });
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

export const screen: ScreenModule = { title: () => t.title, View: Browser };
