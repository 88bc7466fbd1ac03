import {
  type BrowserCheck,
  type BrowserFacts,
  judgeBrowser,
  clockSpan,
  type Verdict,
} from '#domain/proofs/browser-check.ts';
import { browser as t } from '#texts/browser.ts';
import { spanText } from '#locales/counts.ts';
import { fill } from '#locales/fill.ts';

export type Finding = {
  readonly check: BrowserCheck;
  readonly verdict: Verdict;
  readonly name: string;
  readonly lines: readonly string[];
};

const URGENCY: readonly Verdict[] = ['bad', 'unknown', 'good'];

/** Returns the text of each check, and its remedy. */
export function browserFindings(facts: BrowserFacts): readonly Finding[] {
  const found = judgeBrowser(facts).map(([check, verdict]): Finding => {
    const { name, ...words } = t.checks[check];
    const advice = verdict === 'unknown' ? t.unreachable : words[verdict];
    const offset = check === 'clock' ? clockWords(facts.clockOffsetMs) : null;
    return { check, verdict, name, lines: offset ? [offset, advice] : [advice] };
  });
  // Required changes come first.
  return found.sort((a, b) => URGENCY.indexOf(a.verdict) - URGENCY.indexOf(b.verdict));
}

/** Returns the clock's error in words; undefined for less than a second. */
function clockWords(offsetMs: number | null): string | null {
  if (offsetMs === null) return null;
  const { count, unit } = clockSpan(offsetMs);
  if (count === 0) return null;
  const span = spanText(count, unit);
  return offsetMs > 0 ? fill(t.ahead, { span }) : fill(t.behind, { span });
}

/** Returns the lines for the help desk: findings, browser and window, without personal data. */
export function helpDeskSummary(findings: readonly Finding[]): string {
  const rows: (readonly [name: string, value: string])[] = findings.map(
    ({ check, verdict, name, lines }) => {
      const more = check === 'clock' && lines.length > 1 ? ` (${lines[0]})` : '';
      return [name, `${t.verdicts[verdict]}${more}`];
    },
  );
  rows.push([t.device, navigator.userAgent], [t.size, `${innerWidth} × ${innerHeight}`]);
  return rows.map(([name, value]) => fill(t.line, { name, value })).join('\n');
}
