import type { ModuleConfig } from '../config/modules-file.ts';
import { createCodes } from './codes.ts';
import type { Core } from './core.ts';
import { createDelivery } from './delivery.ts';
import { createClients, createCredentials, createTenant } from './credentials.ts';
import { createIdentityProvider, createRequests } from './hosted-login.ts';
import { createModules, createPages } from './pages.ts';
import { createPasswords } from './passwords.ts';
import { createSignIn } from './sign-in.ts';
import { createSignUp } from './sign-up.ts';

export type Parts = ReturnType<typeof createParts>;

/** Creates the parts of the server, each of those that stand before it; nothing is started or served yet. */
export function createParts(core: Core, ofModules: readonly ModuleConfig[]) {
  const delivery = createDelivery(core);
  const tenant = createTenant(core);
  const clients = createClients(core);
  const credentials = createCredentials(core, tenant, clients);
  const signIn = createSignIn(core, delivery, credentials);
  const modules = createModules(core, signIn, ofModules);
  const requests = createRequests(core, tenant, clients, signIn);
  const signUp = createSignUp(core, delivery, credentials, signIn);
  const codes = createCodes(core, delivery, signIn, signUp);
  const passwords = createPasswords(core, delivery, credentials, signIn, signUp, requests);
  const before = {
    ...core,
    ...delivery,
    ...clients,
    ...credentials,
    ...signIn,
    ...modules,
    ...signUp,
    ...codes,
    ...passwords,
    requests,
    tenant,
  };
  const identityProvider = createIdentityProvider(tenant, before);
  const withLogin = { ...before, identityProvider };
  return { ...withLogin, ...createPages(withLogin) };
}
