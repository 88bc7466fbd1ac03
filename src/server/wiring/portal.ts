import { surveyOptions } from '../catalog/survey.ts';
import { installPortal } from '../ssr/install-portal.ts';
import type { Pages } from '../ssr/page-ports.ts';
import type { Api } from './api.ts';
import type { Parts } from './parts.ts';

/** Installs the built portal on what the server knows. */
export function installPortalOf(
  { core, delivery, signIn }: Parts,
  api: Api,
  build: string,
): Promise<Pages> {
  const { fastify, context, visits } = core;
  const { signIns, identityProvider } = signIn;
  const { logos, subtenants } = delivery;
  return installPortal(
    fastify,
    { build, findLogo: logos.find },
    {
      ...context,
      ...api,
      visits,
      signIns,
      subtenants,
      surveyOptions,
      providerOrigins: identityProvider.origins,
    },
  );
}
