import { availableParallelism } from 'node:os';
import { expect, test, vi } from 'vitest';
import { hash, verify } from '@node-rs/argon2';
import { until } from '../../testing/until.ts';
import { createHashing } from './hashing.ts';

/** argon2's other kind. */
const ARGON2I = 1;
const PRODUCTION = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

test('[R1] argon2id with 19 MiB, two passes and one lane, unless a test says otherwise', async () => {
  const hashing = createHashing();
  const made = await hashing.hash('Rocking-Chair-7');
  expect(made).toMatch(PRODUCTION);
  expect(await hashing.verify(made, 'Rocking-Chair-7')).toBe(true);
  expect(await hashing.verify(made, 'Rocking-Chair-8')).toBe(false);
});

test.each([
  ['fewer KiB', { memoryCost: 64, timeCost: 2 }, true],
  ['fewer passes', { memoryCost: 128, timeCost: 1 }, true],
  ['the same', { memoryCost: 128, timeCost: 2 }, false],
  ['more KiB in one pass', { memoryCost: 512, timeCost: 1 }, false],
  ['another kind of argon2', { memoryCost: 512, timeCost: 3, algorithm: ARGON2I }, true],
])('[R1] [SEC-02] a hash with %s is made anew: %j, %j', async (_, cost, isRenewed) => {
  const hashing = createHashing(1, { memoryCost: 128, timeCost: 2 });
  const password = 'Rocking-Chair-7';
  const renewed = await hashing.renew(await hash(password, { parallelism: 1, ...cost }), password);
  expect(renewed !== null).toBe(isRenewed);
  expect(await hashing.verify(renewed, password)).toBe(isRenewed);
});

const SPELLINGS = ['Café-Garden-7', 'Peña-Garden-7', 'Ångström-Garden-7', '한국어-Garden-7A'];
const CHEAP = { memoryCost: 64, timeCost: 1 };

test.each(SPELLINGS)(
  '[SEC-02] F1: %s opens in either spelling of its letters',
  async (password) => {
    const hashing = createHashing(1, CHEAP);
    const [whole, apart] = [password.normalize('NFC'), password.normalize('NFD')];
    expect(whole).not.toBe(apart);
    for (const set of [whole, apart]) {
      const stored = await hashing.hash(set);
      for (const typed of [whole, apart]) {
        expect(await hashing.verify(stored, typed)).toBe(true);
        expect(await hashing.renew(stored, typed)).toBeNull();
      }
      expect(await hashing.verify(stored, `${set} `)).toBe(false);
    }
  },
);

test('[SEC-02] F1: a hash that was made of what was typed still opens by that, and is made anew', async () => {
  const hashing = createHashing(1, CHEAP);
  const apart = 'Café-Garden-7'.normalize('NFD');
  const stored = await hash(apart, { parallelism: 1, ...CHEAP });
  expect(await hashing.verify(stored, apart.normalize())).toBe(false);
  expect(await hashing.verify(stored, apart)).toBe(true);
  const renewed = await hashing.renew(stored, apart);
  expect(await hashing.verify(renewed, apart.normalize())).toBe(true);
});

test('[SEC-02] F1: an unknown account costs as many comparisons', async () => {
  let compared = 0;
  const compare: typeof verify = async () => (compared += 1) < 0;
  const hashing = createHashing(1, CHEAP, compare);
  const stored = await hashing.hash('Rocking-Chair-7');
  for (const password of ['Rocking-Chair-8', 'Café-Garden-7'.normalize('NFD')]) {
    const counts = [];
    for (const of of [stored, null]) {
      compared = 0;
      await hashing.verify(of, password);
      counts.push(compared);
    }
    expect(counts[0]).toBe(counts[1]);
  }
});

test('[R9] an unknown account takes its turn at hashing like any other', async () => {
  const hashing = createHashing(1, { memoryCost: 64, timeCost: 1 });
  expect(await hashing.verify(null, 'Rocking-Chair-7')).toBe(false);
  // One at work and a full queue: whoever needs a turn now is turned away, and nobody else.
  const others = Array.from({ length: 51 }, () => hashing.hash('Rocking-Chair-7'));
  await expect(hashing.verify(null, 'Rocking-Chair-7')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
  await Promise.allSettled(others);
});

test('[PRF-23] one core is left to those who are served, and the others hash', async () => {
  let working = 0;
  const atOnce: number[] = [];
  const compare: typeof verify = async () => {
    atOnce.push((working += 1));
    await new Promise((done) => setTimeout(done, 5));
    working -= 1;
    return true;
  };
  const hashing = createHashing(undefined, { memoryCost: 64, timeCost: 1 }, compare);
  const stored = await hashing.hash('Rocking-Chair-7');
  const many = Array.from({ length: 2 * availableParallelism() }, () =>
    hashing.verify(stored, 'Rocking-Chair-7'),
  );
  await Promise.all(many);
  expect(Math.max(...atOnce)).toBe(Math.max(1, availableParallelism() - 1));
});

test('[OPS-44] a wrong password costs an argon2 of today, whatever hash it is compared with', async () => {
  // The real one; its calls are counted, because time would prove nothing.
  const compare = vi.fn<typeof verify>(verify);
  const hashing = createHashing(1, { memoryCost: 128, timeCost: 2 }, compare);
  const own = await hashing.hash('Rocking-Chair-7');
  const weaker = await hash('Rocking-Chair-7', { memoryCost: 64, timeCost: 1, parallelism: 1 });
  // Made by libxcrypt's crypt(3).
  const bcrypt = '$2b$04$abcdefghijklmnopqrstuu3cgLde/SF8dwLRAsYAnUWYKraOQuBFS';
  const costs = async (stored: string | null, password: string) => {
    compare.mockClear();
    await hashing.verify(stored, password);
    return compare.mock.calls.filter(([text]) => String(text).includes('m=128,t=2')).length;
  };
  for (const stored of [null, own, weaker, bcrypt]) expect(await costs(stored, 'Wrong')).toBe(1);
  // A right one is hashed anew instead.
  for (const stored of [weaker, bcrypt]) expect(await costs(stored, 'Rocking-Chair-7')).toBe(0);
});

test('[PRF-23] S41: whoever has an ordinary hash waits for no slow one; of those one is compared at a time', async () => {
  const slow = `$argon2id$v=19$m=131072,t=4,p=1$c2FsdHNhbHQ$${'a'.repeat(43)}`;
  const finish: (() => void)[] = [];
  const compare: typeof verify = (text, password) =>
    String(text) === slow
      ? new Promise((resolve) => finish.push(() => resolve(true)))
      : verify(text, password);
  const hashing = createHashing(1, { memoryCost: 64, timeCost: 1 }, compare);
  const own = await hashing.hash('Rocking-Chair-7');
  const slowOnes = [hashing.verify(slow, 'one'), hashing.verify(slow, 'two')];
  for (let n = 0; n < 10; n += 1) expect(await hashing.verify(own, 'Rocking-Chair-7')).toBe(true);
  expect(await hashing.verify(null, 'Rocking-Chair-7')).toBe(false);
  expect(finish).toHaveLength(1);
  finish[0]?.();
  await until(() => finish.length === 2);
  finish[1]?.();
  expect(await Promise.all(slowOnes)).toEqual([true, true]);
});
