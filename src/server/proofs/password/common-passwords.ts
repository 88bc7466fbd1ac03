import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packageFile } from '../../core/package-file.ts';

/** Made by `tools/common-passwords.ts`. */
const FILE = packageFile('src/server/proofs/password/common-passwords.bin');
/** Bits an entry, 24 of them: one of 100,000 other texts is taken for an entry. */
const HASHES = 17;

/** Returns the bits of a text in a Bloom filter of this size (Kirsch and Mitzenmacher: two hashes are enough). */
export function filterBits(text: string, size: number): readonly number[] {
  const digest = createHash('sha256').update(text).digest();
  const [first, step] = [digest.readUIntBE(0, 6), digest.readUIntBE(6, 6)];
  return Array.from({ length: HASHES }, (_, n) => (first + n * step) % size);
}

/** Loads the common passwords as a filter, from which the list cannot be read. */
export function loadCommonPasswords(): (guess: string) => boolean {
  const filter = readFileSync(FILE);
  return (guess) =>
    filterBits(guess, filter.length * 8).every(
      (bit) => ((filter[Math.floor(bit / 8)] ?? 0) & (1 << (bit % 8))) !== 0,
    );
}
