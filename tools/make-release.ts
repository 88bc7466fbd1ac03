// `npm run release`: makes the files of a release in release/, the same bytes each time from the same commit and Node.
// docs/operations/releases.md says what they are. With --draft also before release-check agrees; --output names another
// folder.
import { createPrivateKey, sign } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildPortal } from './build.ts';
import type { Lock } from './lock.ts';
import { ROOT, run, runNode } from './processes.ts';
import {
  imageOf,
  notesOf,
  provenanceOf,
  RELEASED_FILES,
  releaseFaults,
  sha256,
} from './release.ts';
import { RELEASED } from './setup/build-stamp.mjs';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

export const VERSION = (JSON.parse(read('package.json')) as { version: string }).version;

const CHART = 'deploy/helm/porchlight';
const COMPOSE = ['deploy/compose.yaml', 'deploy/compose.production.yaml'];

/** Returns what keeps this checkout from being released. */
export async function faultsOfCheckout(): Promise<string[]> {
  const { GITHUB_REF_TYPE, GITHUB_REF_NAME } = process.env;
  return releaseFaults({
    version: VERSION,
    changelog: read('CHANGELOG.md'),
    chart: read(`${CHART}/Chart.yaml`),
    values: read(`${CHART}/values.yaml`),
    compose: read('deploy/compose.yaml'),
    uncommitted: await said('git', ['status', '--porcelain']),
    tag: GITHUB_REF_TYPE === 'tag' ? GITHUB_REF_NAME : undefined,
  });
}

/** Returns what a program says. @throws Error when it fails */
async function said(command: string, args: string[]): Promise<string> {
  const { code, output } = await run(command, args, { output: 'collect' });
  if (code !== 0) throw new Error(`${command} ${args[0]} failed (exit code ${code}): ${output}`);
  return output.trim();
}

/** Packs a folder: no owner, no time but the commit's, names in one order. */
async function pack(folder: string, file: string, seconds: string): Promise<void> {
  await said('tar', [
    '--create',
    '--format=ustar',
    '--sort=name',
    `--mtime=@${seconds}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u=rwX,go=rX',
    '--use-compress-program=gzip --no-name --best',
    `--file=${file}`,
    `--directory=${path.dirname(folder)}`,
    path.basename(folder),
  ]);
}

/** Puts all that a release has into a folder. */
async function assemble(folder: string): Promise<void> {
  const files = await said('git', ['ls-files', ...RELEASED_FILES]);
  for (const file of files.split('\n')) cpSync(path.join(ROOT, file), path.join(folder, file));
  const dist = path.join(folder, 'dist');
  await buildPortal({ mode: 'production', logLevel: 'warn', output: dist });
  writeFileSync(path.join(dist, '.porchlight-sources'), RELEASED);
  // There are no sources to build an image from.
  edit(path.join(folder, 'deploy/compose.yaml'), (text) => text.replace(/^ +build: .*\n/m, ''));
  const image = process.env.PORCHLIGHT_IMAGE ?? imageOf(VERSION);
  for (const file of [...COMPOSE, `${CHART}/values.yaml`]) {
    edit(path.join(folder, file), (text) =>
      text.replace(`image: ${imageOf(VERSION)}`, `image: ${image}`),
    );
  }
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** Makes every file of the release. @param keyFile an Ed25519 key in PEM, which signs SHA256SUMS */
async function makeRelease(output: string, keyFile: string | undefined): Promise<void> {
  const key = keyFile ? createPrivateKey(readFileSync(keyFile)) : undefined;
  if (key && key.asymmetricKeyType !== 'ed25519') throw new Error(`${keyFile}: no Ed25519 key`);
  const [commit = '', seconds = ''] = (await said('git', ['log', '-1', '--format=%H %ct'])).split(
    ' ',
  );
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const at = (name: string) => path.join(output, name);

  mkdirSync(path.join(ROOT, '.cache'), { recursive: true });
  const work = mkdtempSync(path.join(ROOT, '.cache', 'release-'));
  try {
    const folder = path.join(work, `porchlight-${VERSION}`);
    await assemble(folder);
    await pack(folder, at(`porchlight-${VERSION}.tar.gz`), seconds);
    await pack(path.join(folder, CHART), at(`porchlight-chart-${VERSION}.tgz`), seconds);
    for (const file of COMPOSE) cpSync(path.join(folder, file), at(path.basename(file)));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const bom = at(`porchlight-${VERSION}.cdx.json`);
  const { code, output: fault } = await runNode('tools/sbom.ts', [bom], {
    output: 'collect',
    env: { ...process.env, SOURCE_DATE_EPOCH: seconds },
  });
  if (code !== 0) throw new Error(fault);
  writeFileSync(at('RELEASE_NOTES.md'), `${notesOf(VERSION, read('CHANGELOG.md'))}\n`);

  const contents = () =>
    Object.fromEntries(
      readdirSync(output)
        .toSorted()
        .map((name) => [name, readFileSync(at(name))]),
    );
  const provenance = provenanceOf({
    version: VERSION,
    commit,
    env: process.env,
    node: process.version,
    lock: JSON.parse(read('package-lock.json')) as Lock,
    files: contents(),
  });
  writeFileSync(at('provenance.intoto.json'), `${JSON.stringify(provenance, null, 2)}\n`);
  const sums = Object.entries(contents()).map(([name, content]) => `${sha256(content)}  ${name}\n`);
  writeFileSync(at('SHA256SUMS'), sums.join(''));
  if (key) writeFileSync(at('SHA256SUMS.sig'), sign(null, readFileSync(at('SHA256SUMS')), key));
  console.log(`Release ${VERSION} of ${commit}, ${key ? 'signed' : 'not signed'}: ${output}`);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { draft: { type: 'boolean' }, output: { type: 'string', default: 'release' } },
  });
  const faults = await faultsOfCheckout();
  for (const fault of faults) console.log(fault);
  if (faults.length > 0 && !values.draft) {
    console.log(`${VERSION} cannot be released yet; --draft makes its files all the same.`);
    process.exitCode = 1;
  } else {
    const output = path.resolve(process.env.INIT_CWD ?? '.', values.output);
    await makeRelease(output, process.env.PORCHLIGHT_RELEASE_KEY);
  }
}
