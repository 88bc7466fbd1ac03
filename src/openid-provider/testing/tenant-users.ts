/** The people of a stand-in tenant and what its management routes do with them, as Auth0's documentation has it. */

import { randomUUID } from 'node:crypto';
import { verify } from '@node-rs/argon2';

export type TenantUser = {
  readonly user_id: string;
  readonly email: string;
  email_verified: boolean;
  blocked: boolean;
  /** As it was set, or an argon2 hash in PHC form as it was imported. */
  password: { readonly text: string } | { readonly hash: string };
};

type Answer = { readonly status: number; readonly body?: unknown };
type Job = { readonly id: string; polls: number; readonly run: () => Record<string, number> };

export const REALM = 'Username-Password-Authentication';
const CONNECTION = {
  id: 'con_members',
  name: REALM,
  strategy: 'auth0',
  options: { disable_signup: true },
};

const fault = (status: number, message: string): Answer => ({
  status,
  body: { statusCode: status, error: 'Bad Request', message },
});

export type TenantUsers = {
  readonly list: TenantUser[];
  /** How often a job is asked about before it is done. */
  readonly jobs: { polls: number };
  add(user: { email: string; password: string; isVerified?: boolean }): TenantUser;
  find(email: string): TenantUser | undefined;
  check(email: string, password: string): Promise<TenantUser | null>;
  /** Answers `/api/v2/…`; `null`: no such route. */
  manage(method: string, path: string, body: unknown): Promise<Answer | null>;
};

type Deps = { readonly endSessions: (userId: string) => Promise<void> };

export function createTenantUsers({ endSessions }: Deps): TenantUsers {
  const list: TenantUser[] = [];
  const running = new Map<string, Job>();
  const jobs = { polls: 1 };
  const find = (email: string) => list.find((user) => user.email === email.toLowerCase());
  const shown = ({ user_id, email, email_verified }: TenantUser) => ({
    user_id,
    email,
    email_verified,
    identities: [{ connection: REALM, provider: 'auth0', isSocial: false }],
  });

  function create(
    email: string,
    isVerified: boolean,
    password: TenantUser['password'],
  ): TenantUser | null {
    if (find(email)) return null;
    const user = {
      user_id: `auth0|${randomUUID().replaceAll('-', '').slice(0, 24)}`,
      email: email.toLowerCase(),
      email_verified: isVerified,
      blocked: false,
      password,
    };
    list.push(user);
    return user;
  }

  /** POST /api/v2/jobs/users-imports: people with a hash of their password, made some time later. */
  async function startImport(form: FormData): Promise<Answer> {
    const file = form.get('users');
    if (form.get('connection_id') !== CONNECTION.id || !(file instanceof Blob)) {
      return fault(400, 'Payload validation error');
    }
    if (running.size >= 2) return fault(429, 'There are 2 active import users jobs');
    const people = JSON.parse(await file.text()) as {
      email: string;
      email_verified: boolean;
      custom_password_hash: { algorithm: string; hash: { value: string } };
    }[];
    const id = `job_${randomUUID()}`;
    const run = () => {
      const made = people.filter(({ email, email_verified: isVerified, custom_password_hash }) => {
        const { algorithm, hash } = custom_password_hash;
        const isPhc = algorithm === 'argon2' && hash.value.startsWith('$argon2id$v=19$');
        return isPhc && create(email, isVerified, { hash: hash.value });
      });
      return { total: people.length, inserted: made.length, failed: people.length - made.length };
    };
    running.set(id, { id, polls: jobs.polls, run });
    return { status: 202, body: { id, status: 'pending', type: 'users_import' } };
  }

  function pollImport(id: string): Answer {
    const job = running.get(id);
    if (!job) return { status: 404, body: { statusCode: 404, message: 'The job does not exist' } };
    job.polls -= 1;
    if (job.polls > 0) return { status: 200, body: { id, status: 'pending' } };
    running.delete(id);
    return { status: 200, body: { id, status: 'completed', summary: job.run() } };
  }

  function createByPassword(body: Record<string, unknown>): Answer {
    const { connection, email, password, email_verified: isVerified } = body;
    if (connection !== REALM || typeof email !== 'string' || typeof password !== 'string') {
      return fault(400, 'Payload validation error');
    }
    const user = create(email, isVerified === true, { text: password });
    return user
      ? { status: 201, body: shown(user) }
      : { status: 409, body: { statusCode: 409, message: 'The user already exists.' } };
  }

  async function change(user: TenantUser, body: Record<string, unknown>): Promise<Answer> {
    const { password, email_verified: isVerified, connection } = body;
    if (password !== undefined && isVerified !== undefined) {
      return fault(400, 'Cannot update password and email_verified simultaneously');
    }
    if (typeof password === 'string') {
      if (connection !== REALM) return fault(400, 'connection is required');
      if (password.startsWith('Weak')) return fault(400, 'PasswordStrengthError: too weak');
      user.password = { text: password };
    }
    if (typeof isVerified === 'boolean') user.email_verified = isVerified;
    return { status: 200, body: shown(user) };
  }

  async function manageUser(method: string, id: string, rest: string, body: unknown) {
    const user = list.find((known) => known.user_id === id);
    if (!user)
      return { status: 404, body: { statusCode: 404, message: 'The user does not exist.' } };
    switch (`${method} ${rest}`) {
      case 'PATCH ':
        return change(user, body as Record<string, unknown>);
      case 'DELETE /sessions':
        await endSessions(id);
        return { status: 202 };
      case 'DELETE /refresh-tokens':
        return { status: 202 };
      default:
        return null;
    }
  }

  return {
    list,
    jobs,
    find,
    add({ email, password, isVerified = true }) {
      const user = create(email, isVerified, { text: password });
      if (!user) throw new Error(`${email} is there already`);
      return user;
    },
    async check(email, password) {
      const user = find(email);
      if (!user || user.blocked) return null;
      const isRight =
        'text' in user.password
          ? user.password.text === password
          : await verify(user.password.hash, password);
      return isRight ? user : null;
    },
    async manage(method, path, body) {
      const url = new URL(path, 'http://tenant');
      const [, , , what = '', id = '', ...rest] = url.pathname.split('/');
      switch (`${method} ${what}`) {
        case 'GET connections': {
          const isAsked = url.searchParams.get('name') === REALM;
          return { status: 200, body: isAsked ? [CONNECTION] : [] };
        }
        case 'GET users-by-email': {
          const user = find(url.searchParams.get('email') ?? '');
          return { status: 200, body: user ? [shown(user)] : [] };
        }
        case 'POST users':
          return createByPassword(body as Record<string, unknown>);
        case 'POST jobs':
          return startImport(body as FormData);
        case 'GET jobs':
          return rest[0] === 'errors' ? { status: 200, body: [] } : pollImport(id);
        default:
          if (what !== 'users' || id === '') return null;
          return manageUser(method, decodeURIComponent(id), ['', ...rest].join('/'), body);
      }
    },
  };
}
