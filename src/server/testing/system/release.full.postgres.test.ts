/** [OPS-99] `npm run release` makes the same bytes twice, and what it makes runs with Node and its production packages. */

import { execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../free-port.ts';
import { PROCESS_ENV, ROOT } from '../server-process.ts';
import { openTestDatabase, type TestDatabase } from '../test-database.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { version: string };
const TARBALL = `porchlight-${version}.tar.gz`;
const CHART = `porchlight-chart-${version}.tgz`;

/** The unpacked release, with its packages. */
let installed: string;
let database: TestDatabase;
const at = (...names: string[]) => join(folder, ...names);

const folder = mkdtempSync(join(tmpdir(), 'porchlight-release-'));
beforeAll(async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(at('key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(at('public.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
  // Neither the place nor the clock's zone nor the language of the machine may be in it.
  make('one', { TZ: 'Asia/Kolkata', LANG: 'C' });
  make('two', { TZ: 'America/Caracas', LANG: 'en_US.UTF-8' });
  execFileSync('tar', ['-xzf', at('one', TARBALL), '-C', folder]);
  installed = at(`porchlight-${version}`);
  const { NODE_ENV: _, ...env } = PROCESS_ENV;
  const npm = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  const install = (from: string) =>
    execFileSync('npm', [...npm, from], { cwd: installed, env, stdio: 'pipe' });
  try {
    // The installation of this checkout filled npm's cache.
    install('--offline');
  } catch {
    install('--prefer-offline');
  }
  database = await openTestDatabase('empty');
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

function make(name: string, own: Record<string, string>): void {
  const env = { ...PROCESS_ENV, ...own, PORCHLIGHT_RELEASE_KEY: at('key.pem') };
  const words = ['tools/make-release.ts', '--draft', '--output', at(name)];
  execFileSync(process.execPath, words, { cwd: ROOT, env, stdio: 'pipe' });
}

const tar = (...words: string[]) => execFileSync('tar', words, { encoding: 'utf8' });

/** A server of an installation, until it ends or is ready. */
async function serve(cwd: string, words: readonly string[], options: Options = {}) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [...words], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options.user,
    env: {
      ...PROCESS_ENV,
      ...options.env,
      DATABASE_URL: database.url ?? '',
      PORCHLIGHT_CONFIG: 'none',
      // The same for both servers: they have one database.
      PORCHLIGHT_SECRET: 'the secret of this test and of no other',
      PORCHLIGHT_DRAIN_SECONDS: '0',
      PORCHLIGHT_PUBLIC_URL: url,
      PORT: String(port),
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  await vi.waitUntil(() => said.includes('Porchlight is at') || child.exitCode !== null, {
    timeout: 240_000,
  });
  return {
    url,
    said: () => said,
    end: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
type Options = {
  readonly env?: Readonly<Record<string, string>>;
  readonly user?: { readonly uid: number; readonly gid: number };
};

const WELL = { ready: 200, status: 200, hasForm: true, code: 0, odd: null };

/** Ends the server. @returns its answers, its exit code, and words of an installation or a build */
async function answersOf({ url, said, end }: Awaited<ReturnType<typeof serve>>) {
  if (!said().includes('Porchlight is at')) return said();
  const ready = (await fetch(`${url}/api/health/ready`)).status;
  const page = await fetch(url);
  const hasForm = (await page.text()).includes('<form');
  const code = await end();
  return { ready, status: page.status, hasForm, code, odd: /npm|sources|install/i.exec(said()) };
}

test('[OPS-99] two releases of a commit have the same files with the same bytes', () => {
  const names = readdirSync(at('one')).toSorted();
  expect(names).toEqual(
    [
      'RELEASE_NOTES.md',
      'SHA256SUMS',
      'SHA256SUMS.sig',
      'compose.production.yaml',
      'compose.yaml',
      `porchlight-${version}.cdx.json`,
      TARBALL,
      CHART,
      'provenance.intoto.json',
    ].toSorted(),
  );
  const differing = names.filter(
    (name) => !readFileSync(at('one', name)).equals(readFileSync(at('two', name))),
  );
  expect(differing).toEqual([]);
});

test('[OPS-99] sums, signature and provenance are checked by the commands of the documentation', () => {
  const cwd = at('one');
  const lines = readFileSync(`${ROOT}docs/operations/releases.md`, 'utf8');
  const [, block = ''] = /^## Check a release\n[^]*?```sh\n([^]*?)```/m.exec(lines) ?? [];
  const commands = block.replaceAll('porchlight.pub.pem', at('public.pem'));
  const run = () => execFileSync('sh', ['-ec', commands], { cwd, encoding: 'utf8', stdio: 'pipe' });
  const said = run();
  expect(said).toContain('Signature Verified Successfully');
  expect(said).toContain(`${TARBALL}: OK`);
  const { subject } = JSON.parse(readFileSync(at('one/provenance.intoto.json'), 'utf8')) as {
    subject: { name: string; digest: { sha256: string } }[];
  };
  const sums = readFileSync(at('one/SHA256SUMS'), 'utf8');
  for (const { name, digest } of subject) expect(sums).toContain(`${digest.sha256}  ${name}\n`);
  expect(subject.map(({ name }) => name)).toContain(TARBALL);
  // Counter-check: another byte is found.
  writeFileSync(
    at('one/SHA256SUMS'),
    sums.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
  );
  expect(run).toThrow(/Verification Failure|failed/i);
  writeFileSync(at('one/SHA256SUMS'), sums);
});

test('[OPS-99] the release has its licence, the texts of an operator and no tests; the chart is a folder of its own', () => {
  const files = tar('-tzf', at('one', TARBALL)).split('\n');
  for (const file of ['LICENSE', 'README.md', 'CHANGELOG.md', 'docs/operations/deploy.md']) {
    expect(files).toContain(`porchlight-${version}/${file}`);
  }
  expect(files.filter((file) => /\.test\.[jt]s|node_modules|\/testing\//.test(file))).toEqual([]);
  expect(tar('-tzf', at('one', CHART)).split('\n')).toContain('porchlight/Chart.yaml');
  const compose = readFileSync(at('one/compose.yaml'), 'utf8');
  expect(compose).toContain(`image: porchlight:${version}\n`);
  expect(compose).not.toContain('build:');
});

test('[OPS-99] the unpacked release migrates, serves, and installs and builds nothing', async () => {
  const env = { ...PROCESS_ENV, DATABASE_URL: database.url ?? '', PORCHLIGHT_CONFIG: 'none' };
  const words = ['tools/porchlight.mjs', 'migrate'];
  const said = execFileSync(process.execPath, words, { cwd: installed, env, encoding: 'utf8' });
  expect(said).toContain('Applied: 0051_notes_set_aside\n');
  const server = await serve(installed, ['tools/porchlight.mjs', 'serve']);
  expect(await answersOf(server)).toEqual(WELL);
});

test('[OPS-99] the files that the Dockerfile copies serve as uid 1000, which can change none of them', async () => {
  const [, stage = ''] = /^FROM (?!.* AS )([^]*)$/m.exec(
    readFileSync(`${ROOT}Dockerfile`, 'utf8').replaceAll('\\\n', ''),
  ) ?? [''];
  const root = at('image');
  for (const [, from = '', to = ''] of stage.matchAll(/^COPY (.+) \.\/(.*)$/gm)) {
    // What the first stage builds is what the release has.
    const file = from.startsWith('--from=build /app/')
      ? join(installed, from.slice('--from=build /app/'.length))
      : join(ROOT, from);
    const place = join(root, to, to === '' || to.endsWith('/') ? basename(from) : '');
    mkdirSync(dirname(place), { recursive: true });
    cpSync(file, place, { recursive: true });
  }
  const [, uid = ''] = /^USER (\d+):/m.exec(stage) ?? [];
  const [, command = '[]'] = /^CMD (.*)$/m.exec(stage) ?? [];
  const [, ...words] = JSON.parse(command) as string[];
  const env = Object.fromEntries(
    [...stage.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
      line.split(' ').map((each) => each.split(/=(.*)/s).slice(0, 2)),
    ),
  ) as Record<string, string>;
  // As root the test becomes another user; else it takes its own right to write.
  const isRoot = process.getuid?.() === 0;
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    chmodSync(join(entry.parentPath, entry.name), 0o555);
  }
  chmodSync(root, 0o555);
  chmodSync(folder, 0o755);
  const cache = at('compile-cache');
  mkdirSync(cache);
  if (isRoot) chownSync(cache, Number(uid), Number(uid));
  const user = isRoot ? { uid: Number(uid), gid: Number(uid) } : undefined;
  const server = await serve(root, words, {
    env: { ...env, NODE_COMPILE_CACHE: cache },
    ...(user && { user }),
  });
  expect(await answersOf(server)).toEqual(WELL);
});
