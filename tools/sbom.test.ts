import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Lock } from './lock.ts';
import { ROOT, runNode } from './processes.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'porchlight-sbom-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
/** By the lock itself; binaries for single platforms included, each version once. */
function locked(isWanted: (isForDevelopment: boolean) => boolean): string[] {
  const names = Object.entries(packages)
    .filter(([place]) => place.includes('node_modules/'))
    // A folder of this project is there by its link, and lists what a start installs: no package of production.
    .map(([place, { resolved, link = false, ...own }]) => ({
      place,
      link,
      ...((resolved && packages[resolved]) || own),
    }))
    .filter(({ dev = false, link }) => isWanted(dev || link))
    .map(({ place, version }) => `${place.split('node_modules/').at(-1)}@${version}`);
  return [...new Set(names)].toSorted();
}

async function write(...options: string[]) {
  const file = path.join(folder, 'sbom.json');
  // As on a server: npm must not leave out packages of both sides for it.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { code, output } = await runNode('tools/sbom.ts', [file, ...options], {
    env,
    output: 'collect',
  });
  expect([code, output]).toEqual([0, '']);
  return JSON.parse(readFileSync(file, 'utf8')) as {
    bomFormat: string;
    metadata: { component: { name: string; type: string } };
    components: { 'bom-ref': string; hashes?: object[] }[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };
}

/** npm starts and reads the lock; on a busy machine that takes its time. */
const SLOW = { timeout: 120_000 };

describe('[ASR-02] npm run sbom', SLOW, () => {
  test('names every production package once, and none of development', async () => {
    const { bomFormat, metadata, components, dependencies } = await write();
    expect(bomFormat).toBe('CycloneDX');
    expect(metadata.component).toMatchObject({ name: 'porchlight', type: 'application' });
    const named = components.map((component) => component['bom-ref']);
    expect(named.toSorted()).toEqual(locked((isForDevelopment) => !isForDevelopment));
    // Its dependencies are complete, and all refer to components.
    const used = dependencies.flatMap(({ dependsOn }) => dependsOn);
    expect([...new Set(used)].toSorted()).toEqual(named.toSorted());
    expect(dependencies).toHaveLength(components.length + 1);
  });

  test('--all: those of development too, which pages are built from', async () => {
    const { components } = await write('--all');
    expect(components.map((component) => component['bom-ref']).toSorted()).toEqual(
      locked(() => true),
    );
  });
});
