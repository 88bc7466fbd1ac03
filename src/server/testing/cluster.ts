import pg from 'pg';

/** One statement by a connection of its own: databases are made and dropped from outside. */
export async function inCluster(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
