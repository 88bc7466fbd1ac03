import { readFileSync } from 'node:fs';
/** The real process: how it refuses, survives, and ends. */

import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../free-port.ts';
import { plantedError, serversForEachTest, toldStart } from '../start-folder.ts';
import { openProcessDatabase, type ProcessDatabase } from '../test-database.ts';

const SLOW_MS = 120_000;

let database: ProcessDatabase;
const where = (): Record<string, string> => (database.url ? { DATABASE_URL: database.url } : {});
const { start, refused } = serversForEachTest();
beforeEach(async () => {
  database = await openProcessDatabase();
});
afterEach(() => database.close());

describe('a start that cannot be', { timeout: SLOW_MS }, () => {
  test('a bad environment: every fault at once, no stack', async () => {
    const { said, code } = await refused({ PORCHLIGHT_MODE: 'production', PORT: 'eighty' });
    expect(code).toBe(1);
    expect(said).toMatch(/^Porchlight cannot start\. Please mend these settings:\n/);
    for (const name of [
      'PORT',
      'DATABASE_URL',
      'PORCHLIGHT_SECRET',
      'SMTP_URL',
      'PORCHLIGHT_MODULES_FILE',
      'must begin with https',
    ]) {
      expect(said).toContain(name);
    }
    expect(said).not.toMatch(/^\s+at /m);
  });

  test('a database that is not there', async () => {
    const port = await freePort();
    const { said, code } = await refused({
      DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/none`,
    });
    expect(code).toBe(1);
    expect(said).toMatch(
      new RegExp(
        `^The database none at 127.0.0.1:${port} cannot be reached.*ECONNREFUSED.*DATABASE_URL`,
      ),
    );
    expect(said?.trim().split('\n')).toHaveLength(1);
  });

  test('a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    try {
      const { said, code } = await refused({ ...where(), PORT: String(port) });
      expect(code).toBe(1);
      expect(said?.trim()).toBe(
        `Port ${port} is already in use. Stop the other program, or set PORT to a free one.`,
      );
    } finally {
      other.close();
    }
  });
});

describe('[R54] an error that nothing caught', { timeout: SLOW_MS }, () => {
  test.each([
    ['thrown', "throw new Error('planted')"],
    ['rejected', "void Promise.reject(new Error('planted'))"],
  ])('%s: it is logged, and the process closes in order and ends with 1', async (_how, what) => {
    const server = await start({ ...where(), ...plantedError(what) });
    expect(await server.started).toBeNull();
    server.kill('SIGUSR2');
    expect(await server.exited).toBe(1);
    const line =
      server
        .output()
        .split('\n')
        .find((text) => text.includes('planted')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ level: 60, err: { message: 'planted' } });
  });
});

/** A word that this package alone has, in the bundle; those for one machine have a file of their own. */
const WORDS = {
  fastify: 'FST_ERR_DUPLICATED_ROUTE',
  '@node-rs/argon2': null,
  // What a server needs at its first mail, text, sign-up, or password that another system hashed.
  nodemailer: 'nodemailer.com',
  'libphonenumber-js': 'INVALID_COUNTRY',
  '@node-rs/bcrypt': null,
};

test(
  '[S9] a start loads no more than a sign-in needs, and lets its heap grow in small steps',
  {
    timeout: SLOW_MS,
  },
  async () => {
    const server = await start({ ...where(), ...toldStart() });
    expect(await server.started).toBeNull();
    expect(server.output()).toContain('V8 got --heap-growing-percent=40\n');
    expect(server.output()).toContain('V8 got --no-parallel-scavenge\n');
    const files = [...server.output().matchAll(/^Loaded file:\/\/(.*)$/gm)].map(
      ([, file = '']) => file,
    );
    const bundled = files.map((file) => readFileSync(file, 'latin1')).join('\n');
    const loaded = Object.entries(WORDS).filter(([name, word]) =>
      word ? bundled.includes(word) : files.some((file) => file.includes(`/${name}/`)),
    );
    expect(loaded.map(([name]) => name)).toEqual(['fastify', '@node-rs/argon2']);
    // A start reads few files (decision 134); from the sources it were a thousand.
    expect(files.length).toBeLessThan(50);
  },
);
