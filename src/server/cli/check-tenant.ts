import { tenantCheck as texts } from '#locales/en/tenant-check.ts';
import { checkConfigured } from '../identity-provider/auth0-tenant/check-configured.ts';
import { type Command, output } from './command.ts';

/** `npm run check-tenant`: compares the tenant that the settings name with what Porchlight needs; changes nothing. */
export const checkTenant: Command = () => async (at) => {
  const result = await checkConfigured(at.config());
  return output(result?.lines ?? [texts.embedded], (result?.count ?? 0) > 0);
};
