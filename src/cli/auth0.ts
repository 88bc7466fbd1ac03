import { tenantCheck as texts } from '#locales/operator/tenant-check.ts';
import { checkConfigured } from '#server/identity-provider/auth0-tenant/check-configured.ts';
import { type CommandOf, output } from './command.ts';

const NO_TENANT = {
  lines: [texts.embedded],
  rows: [{ check: 'tenant', state: 'ok', what: texts.embedded, mend: '' }],
  count: 0,
};

/** `porchlight auth0 check`: compares the configured tenant with the needs of Porchlight; changes nothing. */
export const auth0: CommandOf<'auth0'> = {
  check: () => async (at) => {
    const { lines, rows, count } = (await checkConfigured(at.config())) ?? NO_TENANT;
    return output(lines, rows, count > 0);
  },
};
