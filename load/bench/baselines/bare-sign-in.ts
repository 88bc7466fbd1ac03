import { createHash, randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import Fastify from 'fastify';
import { Pool } from 'pg';
import { COST, DEMO_PASSWORD } from '../sign-in-client.ts';

// The least that a password step can be: Fastify, pg, one account read, one hash, one ticket kept. No limits, no audit.
const pool = new Pool({ connectionString: process.env.DATABASE_URL ?? '' });
await pool.query('CREATE TABLE accounts (email text PRIMARY KEY, hash text)');
await pool.query('CREATE TABLE tickets (hash text PRIMARY KEY, email text)');
await pool.query(`INSERT INTO accounts SELECT n || '@bare.test', $1 FROM generate_series(1, 8) n`, [
  await hash(DEMO_PASSWORD, COST),
]);

type Given = { readonly email: string; readonly password: string };

const server = Fastify();
server.get('/api/health/live', () => ({ ok: true }));
server.post('/password', async (request) => {
  const { email, password } = request.body as Given;
  const { rows } = await pool.query<{ hash: string }>('SELECT * FROM accounts WHERE email = $1', [
    email,
  ]);
  if (!(await verify(rows[0]?.hash ?? '', password))) throw new Error('wrong');
  const ticket = randomBytes(32).toString('base64url');
  const kept = createHash('sha256').update(ticket).digest('base64url');
  await pool.query('INSERT INTO tickets VALUES ($1, $2)', [kept, email]);
  return { ticket };
});
process.on('SIGTERM', () => void server.close().then(() => pool.end()));
await server.listen({ host: process.env.HOST ?? '127.0.0.1', port: Number(process.env.PORT) });
