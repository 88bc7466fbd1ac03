import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packageFile } from '../package-file.ts';

/** Made by `tools/common-passwords.ts`. */
const FILE = packageFile('src/server/password/common-passwords.bin');
/** With 24 bits an entry, one of 100,000 other texts is taken for an entry. */
const HASHES = 17;

/** The bits that a Bloom filter of so many bits has for a text (Kirsch and Mitzenmacher: two hashes are enough). */
export function filterBits(text: string, size: number): readonly number[] {
  const digest = createHash('sha256').update(text).digest();
  const [first, step] = [digest.readUIntBE(0, 6), digest.readUIntBE(6, 6)];
  return Array.from({ length: HASHES }, (_, n) => (first + n * step) % size);
}

/** Reads the common passwords, as a filter: which they are cannot be read from it. */
export function loadCommonPasswords(): (guess: string) => boolean {
  const filter = readFileSync(FILE);
  return (guess) =>
    filterBits(guess, filter.length * 8).every(
      (bit) => ((filter[Math.floor(bit / 8)] ?? 0) & (1 << (bit % 8))) !== 0,
    );
}
