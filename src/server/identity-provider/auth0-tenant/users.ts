import { canonicalEmail } from '#domain/typed/validation.ts';
import { spellingsOf } from '../../accounts/addresses.ts';
import type { TenantApi } from './api.ts';

export type TenantUsers = ReturnType<typeof createTenantUsers>;

type Connection = {
  readonly id: string;
  readonly name: string;
  readonly options?: { readonly disable_signup?: boolean };
};

type Found = {
  readonly user_id?: string;
  readonly email_verified?: boolean;
  readonly identities?: readonly { readonly connection?: string }[];
};

/** The users of a tenant's database connection, by its Management API. Every call @throws TenantError. */
export function createTenantUsers(api: TenantApi, realm: string) {
  let known: string | null = null;

  /** Returns our connection; `null`: the tenant has none of this name. */
  async function connection() {
    const query = String(new URLSearchParams({ name: realm, strategy: 'auth0' }));
    const found = await api.call<readonly Connection[] | null>('GET', `connections?${query}`);
    const own = found?.find(({ name }) => name === realm);
    return own ? { id: own.id, isSignUpOff: own.options?.disable_signup === true } : null;
  }

  async function connectionId(): Promise<string> {
    known ??= (await connection())?.id ?? null;
    if (!known) throw new Error(`The tenant has no database connection "${realm}"`);
    return known;
  }

  const path = (id: string, rest = '') => `users/${encodeURIComponent(id)}${rest}`;

  return {
    connection,

    /** Returns the user of our connection with this address. */
    async find(
      email: string,
    ): Promise<{ readonly id: string; readonly isVerified: boolean } | null> {
      // Database connections store addresses in lower case, and this search is exact.
      for (const spelling of spellingsOf(email)) {
        const query = String(new URLSearchParams({ email: spelling }));
        const found = await api.call<readonly Found[] | null>('GET', `users-by-email?${query}`);
        const own = found?.find(({ identities }) =>
          identities?.some((identity) => identity.connection === realm),
        );
        if (own?.user_id) return { id: own.user_id, isVerified: own.email_verified === true };
      }
      return null;
    },

    /**
     * Creates a user with a verified address.
     * @returns its id
     */
    async create(email: string, password: string): Promise<string> {
      const made = await api.call<Found | null>('POST', 'users', {
        connection: realm,
        email: canonicalEmail(email),
        password,
        email_verified: true,
        verify_email: false,
      });
      if (!made?.user_id) throw new Error('The tenant made a user without an id');
      return made.user_id;
    },

    /**
     * Starts the import of a user with a password hash.
     * @returns the id of the job
     */
    async startImport(email: string, passwordHash: string): Promise<string> {
      const user = {
        email: canonicalEmail(email),
        email_verified: true,
        custom_password_hash: {
          algorithm: 'argon2',
          hash: { value: passwordHash, encoding: 'utf8' },
        },
      };
      const form = new FormData();
      form.set('connection_id', await connectionId());
      form.set('upsert', 'false');
      form.set('send_completion_email', 'false');
      const file = new Blob([JSON.stringify([user])], { type: 'application/json' });
      form.set('users', file, 'users.json');
      const job = await api.call<{ id?: string } | null>('POST', 'jobs/users-imports', form);
      if (!job?.id) throw new Error('The tenant started an import without an id');
      return job.id;
    },

    async importState(jobId: string): Promise<'running' | 'done' | 'failed' | 'unknown'> {
      const path = `jobs/${encodeURIComponent(jobId)}`;
      const job = await api.call<{ status?: string } | null>('GET', path);
      if (job?.status === 'completed') return 'done';
      if (job?.status === 'failed') return 'failed';
      return job?.status === 'pending' || job?.status === 'processing' ? 'running' : 'unknown';
    },

    async setPassword(id: string, password: string): Promise<void> {
      await api.call('PATCH', path(id), { password, connection: realm });
    },
    async setVerified(id: string): Promise<void> {
      await api.call('PATCH', path(id), { email_verified: true, connection: realm });
    },
    async endSessions(id: string): Promise<void> {
      await api.call('DELETE', path(id, '/sessions'));
      await api.call('DELETE', path(id, '/refresh-tokens'));
    },
  };
}
