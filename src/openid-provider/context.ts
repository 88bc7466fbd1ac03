/** The request context that the provider hands to our own routes (Koa's). */

import type { Provider } from 'oidc-provider';

export type Context = Parameters<Parameters<Provider['use']>[0]>[0];
