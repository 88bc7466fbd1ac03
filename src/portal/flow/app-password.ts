/** The password that a module takes in a sealed copy (HND-05), and the hand-off with it. */

import type { Body, Data } from '#contract/index.ts';
import { getItem, removeItems, setItem } from '../lib/storage.ts';
import { createStore } from '../lib/store.ts';

/** The hand-off that waits for a password, after a sign-in by key; in memory, and gone after a reload. */
export const wanted = createStore<Pick<Body<'issueHandoff'>, 'choice' | 'entrance'> | null>(null);

/** Returns the hand-off's address; for staff and role 20 with the password, encrypted to the module (RED-12). */
export function handOffUrl({ url, credentialFor }: Data<'issueHandoff'>): string {
  const sealed = credentialFor === null ? undefined : getItem('sealedCredential')?.[credentialFor];
  return sealed ? `${url}&credential=${encodeURIComponent(sealed)}` : url;
}

/** Stores the password encrypted to each module. The plain password is not kept. */
export async function sealPassword(
  modules: Data<'beginSession'>['sealedModules'],
  password: string,
  appState: string,
): Promise<void> {
  removeItems('sealedCredential');
  try {
    if (modules.length === 0) return;
    const { seal } = await import('../lib/seal.ts');
    const iat = Math.floor(Date.now() / 1000);
    const pairs = await Promise.all(
      modules.map(async ({ module, publicKey }) => {
        const content = { pwd: password, txn: appState, aud: module, iat };
        return [module, await seal(content, publicKey as JsonWebKey)] as const;
      }),
    );
    setItem('sealedCredential', Object.fromEntries(pairs));
  } catch {
    // Without WebCrypto (plain http), and without keys from an instance of the previous release, a module asks for the
    // password itself; the sign-in continues.
  }
}
