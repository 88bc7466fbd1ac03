import { type Cluster, createDatabase, startCluster } from '../../tools/postgres.ts';
import { temporaryFolder } from './temporary-folder.ts';
import type { Engine, Run } from './run.ts';

type OwnDatabase = {
  /** `null` on the embedded one. */
  readonly cluster: Cluster | null;
  /** The environment of its server. */
  readonly env: Readonly<Record<string, string>>;
  /** For a look at the tables; the embedded one belongs to the server until that has ended. */
  readonly where: { readonly url: string } | { readonly directory: string };
};

/** An empty database, gone when the run is over. */
export async function ownDatabase(
  run: Run,
  engine: Engine,
  options: Parameters<typeof startCluster>[1] = {},
): Promise<OwnDatabase> {
  // The secrets of demo mode live there, too.
  const directory = temporaryFolder(run);
  const env = { PORCHLIGHT_DATA_DIR: directory };
  if (engine === 'pglite') return { cluster: null, env, where: { directory } };
  const { cluster, url } = await startOwn(run, options);
  return { cluster, env: { ...env, DATABASE_URL: url }, where: { url } };
}

/** The address of an empty database on PostgreSQL, gone when the run is over. */
export async function ownPostgres(run: Run): Promise<string> {
  return (await startOwn(run)).url;
}

async function startOwn(run: Run, options: Parameters<typeof startCluster>[1] = {}) {
  const cluster = await startCluster(run.signal, options);
  run.onEnd(cluster.stop);
  return { cluster, url: await createDatabase(cluster.url, 'porchlight_harness') };
}
