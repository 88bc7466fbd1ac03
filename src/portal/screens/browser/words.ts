import {
  type BrowserCheck,
  type BrowserFacts,
  judgeBrowser,
  spanOf,
  type Verdict,
} from '#domain/browser-check.ts';
import { browser as texts } from '#locales/en/browser.ts';
import { fill } from '#locales/fill.ts';

export type Finding = {
  readonly check: BrowserCheck;
  readonly verdict: Verdict;
  readonly name: string;
  readonly lines: readonly string[];
};

/** What the page says of each check, and what to do about it. */
export function findingsOf(facts: BrowserFacts): readonly Finding[] {
  return judgeBrowser(facts).map(([check, verdict]) => {
    const { name, ...words } = texts.checks[check];
    const advice = verdict === 'unknown' ? texts.unreachable : words[verdict];
    const offset = check === 'clock' ? clockWords(facts.clockOffsetMs) : null;
    return { check, verdict, name, lines: offset ? [offset, advice] : [advice] };
  });
}

/** How far the clock is off; nothing for less than a second. */
function clockWords(offsetMs: number | null): string | null {
  if (offsetMs === null) return null;
  const { count, unit } = spanOf(offsetMs);
  if (count === 0) return null;
  const [one, many] = texts.spans[unit];
  const span = count === 1 ? fill(one, { count }) : fill(many, { count });
  return offsetMs > 0 ? fill(texts.ahead, { span }) : fill(texts.behind, { span });
}

/** The lines for the help desk: findings, browser and window, and nothing about the person. */
export function summaryOf(findings: readonly Finding[]): string {
  const rows: (readonly [name: string, value: string])[] = findings.map(
    ({ check, verdict, name, lines }) => {
      const more = check === 'clock' && lines.length > 1 ? ` (${lines[0]})` : '';
      return [name, `${texts.verdicts[verdict]}${more}`];
    },
  );
  rows.push([texts.device, navigator.userAgent], [texts.size, `${innerWidth} × ${innerHeight}`]);
  return rows.map(([name, value]) => fill(texts.line, { name, value })).join('\n');
}
