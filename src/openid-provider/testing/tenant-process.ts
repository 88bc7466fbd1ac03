/** The stand-in tenant as a process of its own: `node tenant-process.ts '<options as JSON>'`. Ends with its parent. */

import { createTenant, type TenantOptions } from './tenant.ts';

type Options = TenantOptions & {
  readonly people: readonly { readonly email: string; readonly password: string }[];
};

const { people, ...options } = JSON.parse(process.argv[2] ?? '{}') as Options;
const tenant = await createTenant(options);
for (const person of people) tenant.users.add(person);
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
