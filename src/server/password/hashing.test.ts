import { expect, test } from 'vitest';
import { createHashing } from './hashing.ts';

const PRODUCTION = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

test('[R1] argon2id with 19 MiB, two passes and one lane, unless a test says otherwise', async () => {
  const hashing = createHashing();
  const made = await hashing.hash('Rocking-Chair-7');
  expect(made).toMatch(PRODUCTION);
  expect(await hashing.verify(made, 'Rocking-Chair-7')).toBe(true);
  expect(await hashing.verify(made, 'Rocking-Chair-8')).toBe(false);
});
