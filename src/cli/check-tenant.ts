import { tenantCheck as texts } from '#locales/operator/tenant-check.ts';
import { checkConfigured } from '#server/identity-provider/auth0-tenant/check-configured.ts';
import { type Command, output, wrongUsage } from './command.ts';

const NO_TENANT = {
  lines: [texts.embedded],
  rows: [{ check: 'tenant', state: 'ok', what: texts.embedded, mend: '' }],
  count: 0,
};

/** `porchlight check-tenant`: compares the tenant that the settings name with what Porchlight needs; changes nothing. */
export const checkTenant: Command = (words) => {
  if (words.length > 0) throw wrongUsage('check-tenant');
  return async (at) => {
    const { lines, rows, count } = (await checkConfigured(at.config())) ?? NO_TENANT;
    return output(lines, rows, count > 0);
  };
};
