import type { ModuleConfig } from '../config/modules-file.ts';
import { addCodes } from './codes.ts';
import type { Core } from './core.ts';
import { addCredentials } from './credentials.ts';
import { addDelivery } from './delivery.ts';
import { addHostedLogin } from './hosted-login.ts';
import { addPages } from './pages.ts';
import { addPasswords } from './passwords.ts';
import { addSignIn } from './sign-in.ts';
import { addSignUp } from './sign-up.ts';

export type Parts = ReturnType<typeof createParts>;

/** Creates the parts of the server, each of those before it; nothing is started or served yet. */
export function createParts(core: Core, modules: readonly ModuleConfig[]) {
  const delivery = addDelivery(core);
  const credentials = addCredentials(delivery);
  const signIn = addSignIn(credentials);
  const signUp = addSignUp(signIn);
  const codes = addCodes(signUp);
  const passwords = addPasswords(codes);
  const login = addHostedLogin(passwords);
  return addPages(login, modules);
}
