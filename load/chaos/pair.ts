import type { BalancerOptions } from '../../src/server/testing/balancer.ts';
import { type Instances, startInstances } from '../../src/server/testing/instances.ts';
import type { Run } from './run.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Two instances on one database, gone when the run is over. */
export async function startPair(
  run: Run,
  env: Record<string, string>,
  options?: BalancerOptions,
): Promise<Instances> {
  const instances = await startInstances(
    { PORCHLIGHT_DATA_DIR: temporaryFolder(run), PORCHLIGHT_CAPTCHA_WORK: '1', ...env },
    options,
  );
  run.onEnd(instances.close);
  return instances;
}
