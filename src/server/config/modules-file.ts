import * as z from 'zod';
import { isLoopbackHost } from '#domain/hand-off/loopback.ts';
import { MODULE_IDS, type ModuleId } from '#domain/people/roles.ts';
import { isWebAddress, NO_SUCH_URL, PRIVATE_MEMBERS, type Rules } from './client-file.ts';
import { type Document, readDocument } from './document.ts';
import { readValue } from './setting.ts';

export type ModuleConfig = {
  readonly id: ModuleId;
  /** Where the module's root and login pages are. */
  readonly rootUrl: string;
  readonly loginUrl: string;
  /** SHA-256 of the secret the module redeems with. */
  readonly secretHash: string | null;
  /** The module's public key; with one, the password's sealed copy travels to it (HND-05). */
  readonly sealedTo: Readonly<Record<string, unknown>> | null;
  /** The address for notices of ended sessions; `null`: no notices. */
  readonly signOutUrl: string | null;
  /** The factors (`amr`) one of which a sign-in needs: a passkey has `mfa` and no `otp`, an organisation's may have `fed` alone. */
  readonly accepts: readonly ('otp' | 'mfa' | 'fed')[];
};

/** Returns the public keys that a password is encrypted with, by module. */
export const sealedKeysOf = (modules: readonly ModuleConfig[]) =>
  modules.flatMap(({ id, sealedTo }) =>
    sealedTo ? [{ module: id, publicKey: { ...sealedTo } }] : [],
  );

/** Published on every page: a private member would be published with it. */
const publicKeySchema = z
  .looseObject({
    kty: z.literal('RSA', 'must be an RSA key (kty RSA)'),
    n: z.string().min(342, 'must have at least 2048 bits'),
    e: z.string(),
  })
  .refine((key) => !PRIVATE_MEMBERS.some((member) => member in key), {
    message:
      'holds a private key, and everybody would see it: make a new pair, and name its public key only',
  });

const address = z
  .url('must be an https address')
  .refine(
    (url) => /^https:/i.test(url) || (/^http:/i.test(url) && isLoopbackHost(new URL(url).hostname)),
    'must be an https address, except on this machine',
  );

/** One module, as the file and the command spell it. */
export function moduleSchema(rules: Rules) {
  return z.strictObject({
    id: z.enum(MODULE_IDS, `must be one of ${MODULE_IDS.join(', ')}`),
    rootUrl: address,
    loginUrl: address,
    secretHash: z
      .string()
      .regex(/^[\w-]{43}$/, "must be the SHA-256 of the module's secret, base64url"),
    sealedTo: publicKeySchema.nullable().default(null),
    signOutUrl: z
      .string()
      .refine((url) => isWebAddress(url, rules), NO_SUCH_URL)
      .nullable()
      .default(null),
    accepts: z
      .array(z.enum(['otp', 'mfa', 'fed'], 'must be otp, mfa or fed'))
      .min(1, 'must name otp, mfa or fed')
      .default(['otp']),
  });
}

/** The list of them. */
export const modulesSchema = (rules: Rules) =>
  z.array(moduleSchema(rules), 'must be a list of modules').superRefine((modules, context) => {
    const ids = modules.map(({ id }) => id);
    for (const id of new Set(ids.filter((each, index) => ids.indexOf(each) !== index))) {
      context.addIssue({ code: 'custom', message: `names the module ${id} twice` });
    }
  });

/** Reads the operator's list of modules: every fault in words, and the modules that nobody could be handed to. */
export function readModules(document: Document, rules: Rules) {
  const given = readDocument(document);
  if ('fault' in given) return { modules: [], faults: [given.fault], warnings: [], missing: [] };
  const { value, ...read } = readValue(modulesSchema(rules), given.value);
  const ids = new Set(value?.map(({ id }) => id));
  const missing = value === null ? [] : MODULE_IDS.filter((id) => !ids.has(id));
  const modules: readonly ModuleConfig[] = value ?? [];
  return { modules, ...read, missing };
}
