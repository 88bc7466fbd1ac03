import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Run } from './run.ts';

/** A folder that is gone when the run is over. */
export function temporaryFolder(run: Pick<Run, 'onEnd'>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'porchlight-harness-'));
  run.onEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
