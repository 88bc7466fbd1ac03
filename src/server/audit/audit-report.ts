import { fill } from '#locales/fill.ts';
import { auditCommand as texts } from '#locales/operator/audit-command.ts';
import { type Fault, verifyAudit } from './verify.ts';

/** More faults than these are counted. */
const FAULTS_SHOWN = 20;

/** Verifies the audit log, and says in words what was found. @throws OperatorError when no secret decrypts the key */
export async function auditReport(
  context: Parameters<typeof verifyAudit>[0],
  expectedHead?: string,
) {
  const shown: Fault[] = [];
  const { rows, batches, open, clearedTo, faultCount, head } = await verifyAudit(
    context,
    (fault) => {
      if (shown.length < FAULTS_SHOWN) shown.push(fault);
    },
    expectedHead,
  );
  const lines = [
    fill(texts.counts, { rows, batches, open }),
    ...(clearedTo > 0 ? [fill(texts.cleared, { seq: clearedTo })] : []),
    ...(head === null ? [] : [fill(texts.head, { head })]),
    faultCount === 0 ? texts.intact : fill(texts.faults, { count: faultCount }),
    ...shown.map(({ kind, at }) => fill(texts[kind === 'head' ? 'headMissing' : kind], { at })),
    ...(faultCount > shown.length ? [fill(texts.more, { count: faultCount - shown.length })] : []),
  ];
  return { lines, result: { rows, batches, open, clearedTo, faultCount, head, faults: shown } };
}
