// Run after `npm install <package>`: writes into package-lock.json the platform packages that npm
// left out. npm leaves out, without a word, every optional package that the registry at hand does
// not carry (mirrors often lack binaries of foreign systems), and then `npm ci` refuses the file
// on every machine: "Missing: … from lock file".
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { missingOptional } from './lock.ts';
import { ROOT } from './processes.ts';

const file = path.join(ROOT, 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8')) as Parameters<typeof missingOptional>[0];
const missing = missingOptional(lock);
for (const { name, version, isDev } of missing) {
  // Names of such packages end in system, processor and C library: enough for npm to skip them.
  const [os, cpu, abi] =
    /(android|darwin|freebsd|linux|openharmony|win32)-([a-z0-9]+)(?:-(\w+))?$/
      .exec(name)
      ?.slice(1) ?? [];
  if (!os || !cpu) throw new Error(`${name} is missing and is no platform package.`);
  const libc = abi?.startsWith('musl') ? 'musl' : abi?.startsWith('gnu') ? 'glibc' : undefined;
  lock.packages[`node_modules/${name}`] = {
    version,
    cpu: [cpu],
    ...(isDev && { dev: true }),
    ...(os === 'linux' && libc && { libc: [libc] }),
    optional: true,
    os: [os],
  };
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')),
);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${missing.length} platform packages added to package-lock.json`);
