import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run, runNode } from './processes.ts';
import { provenanceOf } from './provenance-statement.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'porchlight-provenance-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

beforeAll(() => {
  mkdirSync(path.join(folder, 'dist/client/assets'), { recursive: true });
  writeFileSync(path.join(folder, 'dist/server.js'), 'two');
  writeFileSync(path.join(folder, 'dist/client/assets/app.js'), 'one');
  writeFileSync(path.join(folder, 'package-lock.json'), '{}');
});

test('[ASR-07] names every built file, the commit, the lock file, Node and who built', () => {
  const statement = provenanceOf(folder, { commit: 'c0ffee', builder: 'https://ci.example.org' });
  expect(statement._type).toBe('https://in-toto.io/Statement/v1');
  expect(statement.subject).toEqual([
    { name: 'dist/client/assets/app.js', digest: { sha256: sha256('one') } },
    { name: 'dist/server.js', digest: { sha256: sha256('two') } },
  ]);
  const { buildDefinition, runDetails } = statement.predicate;
  expect(buildDefinition.resolvedDependencies).toEqual([
    { name: 'source', digest: { gitCommit: 'c0ffee' } },
    { name: 'package-lock.json', digest: { sha256: sha256('{}') } },
    { uri: `pkg:generic/node@${process.versions.node}` },
  ]);
  expect(runDetails.builder.id).toBe('https://ci.example.org');
});

test('[ASR-07] is refused for sources that no commit has', async () => {
  const who = ['-c', 'user.name=Nora', '-c', 'user.email=nora@example.org'];
  await run('git', ['init', '--quiet', folder]);
  await run('git', ['-C', folder, ...who, 'commit', '--quiet', '--allow-empty', '-m', 'Nothing']);
  // In this repository nobody has committed what is there.
  const env = { ...process.env, GIT_DIR: path.join(folder, '.git'), GIT_WORK_TREE: folder };
  const { code, output } = await runNode('tools/provenance.ts', [], { env, output: 'collect' });
  expect(code).toBe(1);
  expect(output).not.toContain('in-toto');
});
