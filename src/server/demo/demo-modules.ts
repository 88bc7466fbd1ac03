import type { Config } from '../config/config.ts';
import type { ModuleConfig } from '../config/modules-file.ts';
import { MODULE_IDS, type ModuleId } from '#domain/people/roles.ts';
import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import type { ServerContext } from '../core/context.ts';
import { hashToken } from '../crypto/secret-box.ts';

/** Modules that take the sealed credential in the demo (HND-05): the staff module and role 20's. */
const SEALED: readonly ModuleId[] = ['member-intake', 'special'];
const ALGORITHM = 'RSA-OAEP-256';
const SEAL = 'demo-module-key';

type Context = Pick<ServerContext, 'db' | 'clock' | 'secretBox'> & {
  readonly config: Pick<Config, 'modules' | 'publicUrl'>;
};

export type DemoModuleSetup = Awaited<ReturnType<typeof setUpDemoModules>>;

/** Addresses, secrets and keys of the demo's modules; made from the demo's own secret. */
export async function setUpDemoModules(context: Context) {
  const secretOf = (module: ModuleId) => context.secretBox.hmac('demo-module', module);
  const pairs = new Map<ModuleId, { publicJwk: JWK; privateKey: CryptoKey }>();
  for (const module of SEALED) pairs.set(module, await loadPair(context, module));
  return {
    secretOf,
    privateKeyOf: (module: ModuleId) => pairs.get(module)?.privateKey ?? null,
    /** One for each id: the configured one, or one that the demo plays itself. */
    modules: MODULE_IDS.map(
      (id): ModuleConfig =>
        context.config.modules.find((own) => own.id === id) ?? {
          id,
          ...addressesOf(context.config, id),
          secretHash: hashToken(secretOf(id)),
          sealedTo: pairs.get(id)?.publicJwk ?? null,
          signOutUrl: null,
          accepts: ['otp', 'mfa'] as const,
        },
    ),
  };
}

function addressesOf({ publicUrl }: Context['config'], id: ModuleId) {
  const rootUrl = `${publicUrl}/demo/${id}`;
  return { rootUrl, loginUrl: `${rootUrl}/login` };
}

async function loadPair({ db, clock, secretBox }: Context, module: ModuleId) {
  const purpose = `demo-module:${module}`;
  const find = () =>
    db.selectFrom('demo_module_keys').selectAll().where('purpose', '=', purpose).executeTakeFirst();
  if (!(await find())) {
    const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    const sealed = secretBox.encrypt(SEAL, JSON.stringify(await exportJWK(privateKey)));
    await db
      .insertInto('demo_module_keys')
      .values({ kid: purpose, purpose, sealed, created_at: clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const row = await find();
  const jwk = JSON.parse(secretBox.decrypt(SEAL, row?.sealed ?? '')) as JWK;
  return {
    publicJwk: { kty: 'RSA', n: jwk.n ?? '', e: jwk.e ?? '', alg: ALGORITHM, use: 'enc' } as JWK,
    privateKey: (await importJWK(jwk, ALGORITHM)) as CryptoKey,
  };
}
