import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '#domain/text/duration.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { reEncrypt } from '../crypto/re-encrypt.ts';
import { createTestContext } from '../testing/test-app.ts';
import { createSealing } from './sealing.ts';
import { type Fault, verifyAudit } from './verify.ts';

let context: Awaited<ReturnType<typeof createTestContext>>;
let faults: Fault[];
beforeEach(async () => {
  context = await createTestContext();
  faults = [];
});
afterEach(() => context.database.close());

const seal = () => createSealing(context).seal();
const verify = async (head?: string) => {
  faults = [];
  return verifyAudit(context, (fault) => void faults.push(fault), head);
};

/** Three batches of four events. */
async function fill(): Promise<readonly number[]> {
  for (let batch = 0; batch < 3; batch += 1) {
    for (let row = 0; row < 4; row += 1) {
      const userId = 4_000_000_000 + row;
      const details = { batch, row };
      await context.audit({ kind: 'otp.sent', userId, ip: '203.0.113.77', details });
    }
    await seal();
  }
  const rows = await context.db.selectFrom('audit_events').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** What somebody does who owns the database: our triggers do not hold them. */
async function asOwner(...statements: ReturnType<typeof sql>[]): Promise<void> {
  const { db } = context;
  for (const table of ['audit_events', 'audit_seals']) {
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(db);
  }
  for (const statement of statements) await statement.execute(db);
  for (const table of ['audit_events', 'audit_seals']) {
    await sql`alter table ${sql.table(table)} enable trigger user`.execute(db);
  }
}

/** What is edited, and the fault that tells. */
const EDITS = [
  ['kind', sql`kind = 'otp.verified'`, 'row'],
  ['moment, by a microsecond', sql`at = at + interval '1 microsecond'`, 'row'],
  ['details', sql`details = '{"batch": 1, "row": 3}'`, 'row'],
  ['reason', sql`reason = 'none'`, 'row'],
  ['outcome', sql`outcome = 'failure'`, 'row'],
  ['actor', sql`actor = 'operator'`, 'row'],
  ['request', sql`request_id = 'another-request'`, 'row'],
  ['visit', sql`visit_id = '00000000-0000-4000-8000-000000000001'`, 'row'],
  ['subtenant', sql`subtenant_id = 900`, 'row'],
  ['account', sql`user_id = user_id + 1`, 'account'],
  ['account, taken out', sql`user_id = null`, 'erased'],
  ['address', sql`ip = '198.51.100.1'`, 'address'],
  ['network', sql`network = '198.51.100.0/24'`, 'row'],
  ['hash', sql`hash = reverse(hash)`, 'row'],
  [
    'account, with what stands for it',
    sql`(user_id, subject) = (select user_id, subject from audit_events order by id limit 1)`,
    'row',
  ],
] as const;

const SEAL_EDITS = [
  ['number of rows', sql`row_count = row_count + 1`],
  ['last hash', sql`last_hash = reverse(last_hash)`],
  ['newest moment', sql`newest_at = newest_at + interval '1 microsecond'`],
  ['moment of sealing', sql`sealed_at = sealed_at + interval '1 microsecond'`],
  ['mac', sql`mac = reverse(mac)`],
] as const;

const REFUSED = [
  ['another id', sql`update audit_events set id = default`],
  ['another moment', sql`update audit_events set at = at + interval '1 microsecond'`],
  ['another kind', sql`update audit_events set kind = 'x'`],
  ['another visit', sql`update audit_events set visit_id = '00000000-0000-4000-8000-000000000001'`],
  ['other details', sql`update audit_events set details = '{}'`],
  ['another request', sql`update audit_events set request_id = 'x'`],
  ['another subtenant', sql`update audit_events set subtenant_id = 900`],
  ['another actor', sql`update audit_events set actor = 'x'`],
  ['another outcome', sql`update audit_events set outcome = 'failure'`],
  ['another reason', sql`update audit_events set reason = 'x'`],
  ['another account', sql`update audit_events set user_id = 1`],
  ['another address', sql`update audit_events set ip = '198.51.100.1'`],
  ['taken out of its batch', sql`update audit_events set seal = null, hash = null`],
  ['another hash', sql`update audit_events set hash = 'x'`],
  ['a deletion', sql`delete from audit_events where id = (select max(id) from audit_events)`],
  ['emptying', sql`truncate audit_events`],
  ['another batch', sql`update audit_events set seal = seal + 1`],
  ['another stand-in for the account', sql`update audit_events set subject = 'x'`],
  ['another network', sql`update audit_events set network = 'x'`],
  ['another number of a seal', sql`update audit_seals set seq = seq + 10`],
  ['another count', sql`update audit_seals set row_count = 9`],
  ['another last hash', sql`update audit_seals set last_hash = 'x'`],
  ['another newest moment', sql`update audit_seals set newest_at = now()`],
  ['another moment of sealing', sql`update audit_seals set sealed_at = now()`],
  ['another mac', sql`update audit_seals set mac = 'x'`],
  ['a deleted seal', sql`delete from audit_seals`],
  ['no seals', sql`truncate audit_seals`],
] as const;

describe('[R49] [AUD-01] the chain of the audit log', () => {
  test('is whole as it was written, and counts what is not sealed yet', async () => {
    await fill();
    await context.audit({ kind: 'signOut' });
    expect(await verify()).toMatchObject({ rows: 12, batches: 3, open: 1, faultCount: 0 });
    expect(faults).toEqual([]);
  });

  test('an empty one is whole', async () => {
    expect(await verify()).toMatchObject({ rows: 0, open: 0, faultCount: 0, head: null });
  });

  test('finds an edit of one row, whatever was edited', async () => {
    const ids = await fill();
    const { db } = context;
    await sql`create table kept as select * from audit_events where id = ${ids[5]}`.execute(db);
    for (const [what, change, kind] of EDITS) {
      await asOwner(sql`update audit_events set ${change} where id = ${ids[5]}`);
      await verify();
      expect([what, faults]).toEqual([what, expect.arrayContaining([{ kind, at: ids[5] }])]);
      await asOwner(
        sql`delete from audit_events where id = ${ids[5]}`,
        sql`insert into audit_events overriding system value select * from kept`,
      );
      await verify();
      expect([what, faults]).toEqual([what, []]);
    }
  });

  test('finds an edit of a seal, whatever was edited', async () => {
    await fill();
    const { db } = context;
    await sql`create table kept as select * from audit_seals where seq = 2`.execute(db);
    for (const [what, change] of SEAL_EDITS) {
      await asOwner(sql`update audit_seals set ${change} where seq = 2`);
      await verify();
      expect([what, faults]).toEqual([what, expect.arrayContaining([{ kind: 'seal', at: 2 }])]);
      await asOwner(
        sql`delete from audit_seals where seq = 2`,
        sql`insert into audit_seals select * from kept`,
      );
      await verify();
      expect([what, faults]).toEqual([what, []]);
    }
  });

  test('finds a deleted row, in the middle and at the end', async () => {
    const ids = await fill();
    await asOwner(sql`delete from audit_events where id = ${ids[5]}`);
    await verify();
    expect(faults).toEqual([
      { kind: 'row', at: ids[6] },
      { kind: 'count', at: 2 },
    ]);
    await asOwner(sql`delete from audit_events where id = ${ids[11]}`);
    await verify();
    expect(faults).toContainEqual({ kind: 'count', at: 3 });
  });

  test('finds two rows that changed places', async () => {
    const [, , , , , five = 0, six = 0] = await fill();
    await asOwner(
      sql`alter table audit_events alter column id drop identity`,
      sql`update audit_events set id = -1 where id = ${five}`,
      sql`update audit_events set id = ${five} where id = ${six}`,
      sql`update audit_events set id = ${six} where id = -1`,
    );
    await verify();
    expect(faults).toContainEqual({ kind: 'row', at: five });
  });

  test('finds a row that has another id, in the same place', async () => {
    const ids = await fill();
    const last = ids.at(-1) ?? 0;
    await asOwner(
      sql`alter table audit_events alter column id drop identity`,
      sql`update audit_events set id = ${last + 9} where id = ${last}`,
    );
    await verify();
    expect(faults).toEqual([{ kind: 'row', at: last + 9 }]);
  });

  test('finds a row that was put among the sealed ones, and one beside all batches', async () => {
    const ids = await fill();
    const copy = (batch: number) => sql`insert into audit_events (at, kind, details, seal, hash)
      select at, 'signOut', '{}', ${batch}::bigint, hash from audit_events where id = ${ids[4]}`;
    await asOwner(copy(2), copy(9));
    await verify();
    expect(faults.map(({ kind }) => kind).toSorted()).toEqual(['count', 'row', 'stray']);
  });

  test('finds a batch that is gone, the first, one between, and the key', async () => {
    await fill();
    await asOwner(
      sql`delete from audit_events where seal = 2`,
      sql`delete from audit_seals where seq = 2`,
    );
    await verify();
    expect(faults).toContainEqual({ kind: 'missing', at: 2 });
    await asOwner(
      sql`delete from audit_events where seal = 1`,
      sql`delete from audit_seals where seq = 1`,
    );
    await verify();
    expect(faults).toContainEqual({ kind: 'missing', at: 1 });
    await asOwner(sql`delete from audit_keys`);
    await verify();
    expect(faults).toEqual([{ kind: 'key', at: 1 }]);
  });

  test('finds rows whose seal is gone', async () => {
    const [, , , , five] = await fill();
    await asOwner(sql`delete from audit_seals where seq = 2`);
    await verify();
    expect(faults).toContainEqual({ kind: 'stray', at: five });
  });

  test('finds rows, seals and a head of another history, as after a backup was restored', async () => {
    await fill();
    const { head } = await verify();
    const { db, clock } = context;
    await sql`create table kept as select * from audit_events where seal = 3`.execute(db);
    await sql`create table kept_seals as select * from audit_seals where seq = 3`.execute(db);
    await asOwner(
      sql`update audit_events set seal = null, hash = null where seal = 3`,
      sql`delete from audit_seals where seq = 3`,
    );
    clock.advanceMs(1000);
    await seal();
    await context.audit({ kind: 'signOut' });
    await seal();
    expect(await verify()).toMatchObject({ rows: 13, batches: 4, faultCount: 0 });
    await verify(head ?? '');
    expect(faults).toEqual([{ kind: 'head', at: 3 }]);
    // The same rows, sealed at another moment.
    await sql`create table now_seals as select * from audit_seals where seq = 3`.execute(db);
    await asOwner(
      sql`delete from audit_seals where seq = 3`,
      sql`insert into audit_seals select * from kept_seals`,
    );
    await verify();
    expect(faults).toEqual([{ kind: 'seal', at: 4 }]);

    await asOwner(
      sql`delete from audit_events where seal >= 3`,
      sql`delete from audit_seals where seq >= 3`,
    );
    for (let row = 0; row < 4; row += 1) await context.audit({ kind: 'signOut' });
    await seal();
    expect(await verify()).toMatchObject({ rows: 12, faultCount: 0 });
    await asOwner(
      sql`delete from audit_events where seal = 3`,
      sql`insert into audit_events overriding system value select * from kept`,
    );
    await verify();
    expect(faults).toEqual([{ kind: 'seal', at: 3 }]);
  });

  test('finds a seal that says another number of rows, and one that says its rows were cleared', async () => {
    await fill();
    await asOwner(
      sql`update audit_seals set row_count = 3 where seq = 3`,
      sql`delete from audit_events where id = (select max(id) from audit_events)`,
    );
    await verify();
    expect(faults).toContainEqual({ kind: 'seal', at: 3 });
    await asOwner(
      sql`delete from audit_events where seal = 1`,
      sql`update audit_seals set cleared_at = sealed_at, cleared_mac = mac where seq = 1`,
    );
    await verify();
    expect(faults).toContainEqual({ kind: 'anchor', at: 1 });
  });

  test('newest batches that are gone are found by what the server told outside of the database', async () => {
    await fill();
    const { head } = await verify();
    expect(await verify(head ?? '')).toMatchObject({ faultCount: 0 });
    await asOwner(
      sql`delete from audit_events where seal = 3`,
      sql`delete from audit_seals where seq = 3`,
    );
    expect(await verify()).toMatchObject({ faultCount: 0 });
    await verify(head ?? '');
    expect(faults).toEqual([{ kind: 'head', at: 3 }]);
  });

  test('goes on under a new secret, once its key is sealed under it', async () => {
    await fill();
    const { config, db } = context;
    const next = 'another secret of the tests, long enough';
    const both = createSecretBox(next, [config.secret]);
    await reEncrypt({ db, secretBox: both });
    const secretBox = createSecretBox(next);
    await context.audit({ kind: 'signOut' });
    await createSealing({ ...context, secretBox }).seal();
    const result = await verifyAudit({ db, secretBox }, (fault) => void faults.push(fault));
    expect(result).toMatchObject({ rows: 13, faultCount: 0 });
    await expect(verify()).rejects.toThrow('PORCHLIGHT_SECRET');
  });
});

describe('[AUD-02] the tables themselves', () => {
  const refuse = async (
    statements: readonly (readonly [string, ReturnType<typeof sql>])[],
    reason = 'append-only',
  ) => {
    for (const [what, statement] of statements) {
      const outcome = await statement.execute(context.db).then(
        () => 'done',
        (error: unknown) => (error as Error).message,
      );
      expect([what, outcome]).toEqual([what, expect.stringContaining(reason)]);
    }
  };

  test('let the application change nothing that is sealed', async () => {
    await fill();
    await refuse(REFUSED);
    expect(await verify()).toMatchObject({ rows: 12, faultCount: 0 });
  });

  test('nor after retention: neither the anchor nor what is left', async () => {
    const { clock } = context;
    await fill();
    clock.advanceMs(40 * DAY_MS);
    await fill();
    await createSealing(context).clearBefore(new Date(clock.now().getTime() - 30 * DAY_MS));
    await refuse([
      [
        'no anchor',
        sql`update audit_seals set cleared_at = null, cleared_mac = null where seq = 3`,
      ],
      ['another anchor', sql`update audit_seals set cleared_mac = 'x' where seq = 3`],
      ['a deleted anchor', sql`delete from audit_seals where seq = 3`],
      ['a deleted seal', sql`delete from audit_seals where seq = 4`],
      ['a deleted batch', sql`delete from audit_events where seal = 4`],
    ]);
    expect(await verify()).toMatchObject({ rows: 12, clearedTo: 3, faultCount: 0 });
  });

  test('a row is sealed with its hash and a batch cleared with its mac, or not at all', async () => {
    await fill();
    await context.audit({ kind: 'signOut' });
    await refuse(
      [
        ['no hash', sql`update audit_events set seal = 4 where seal is null`],
        ['no seal', sql`update audit_events set hash = 'x' where seal is null`],
        ['no mac', sql`update audit_seals set cleared_at = now()`],
        ['no moment', sql`update audit_seals set cleared_mac = 'x'`],
      ],
      'check constraint',
    );
    expect(await verify()).toMatchObject({ rows: 12, open: 1, faultCount: 0 });
  });

  test('an open row cannot be edited or deleted either', async () => {
    const { db } = context;
    await context.audit({ kind: 'signOut', userId: 7 });
    await expect(sql`update audit_events set kind = 'x'`.execute(db)).rejects.toThrow(
      'append-only',
    );
    await expect(sql`delete from audit_events`.execute(db)).rejects.toThrow('append-only');
  });
});

describe('[AUD-03] [R52] retention', () => {
  test('takes whole batches from the oldest on, leaves an anchor, and the rest is still verified', async () => {
    const { clock, db } = context;
    await fill();
    clock.advanceMs(40 * DAY_MS);
    const ids = await fill();
    const sealing = createSealing(context);
    const before = () => new Date(clock.now().getTime() - 30 * DAY_MS);
    expect(await sealing.clearBefore(before())).toBe(12);
    expect(await verify()).toMatchObject({ rows: 12, clearedTo: 3, faultCount: 0 });
    expect(await sealing.clearBefore(before())).toBe(0);
    await asOwner(sql`delete from audit_events where id = ${ids[12]}`);
    await verify();
    expect(faults.length).toBeGreaterThan(0);

    clock.advanceMs(40 * DAY_MS);
    await sealing.clearBefore(before());
    expect(await db.selectFrom('audit_events').orderBy('id').select('id').execute()).toEqual([]);
    await context.audit({ kind: 'signOut' });
    await seal();
    expect(await verify()).toMatchObject({ rows: 1, clearedTo: 6, faultCount: 0 });
  });

  test('a head from before the anchor is no fault: its batch went in time', async () => {
    const { clock } = context;
    await context.audit({ kind: 'signOut' });
    await seal();
    const { head } = await verify();
    await fill();
    clock.advanceMs(1000);
    await createSealing(context).clearBefore(clock.now());
    expect(await verify(head ?? '')).toMatchObject({ clearedTo: 4, faultCount: 0 });
  });

  test('a batch stays as long as its newest row, wherever in the batch that stands', async () => {
    const { clock } = context;
    for (const days of [0, 40, -40]) {
      clock.advanceMs(days * DAY_MS);
      await context.audit({ kind: 'signOut' });
    }
    await seal();
    const sealing = createSealing(context);
    expect(await sealing.clearBefore(new Date(clock.now().getTime() + 30 * DAY_MS))).toBe(0);
    expect(await sealing.clearBefore(new Date(clock.now().getTime() + 41 * DAY_MS))).toBe(3);
  });

  test('finds another moment on an anchor, rows beside it, and batches before it', async () => {
    const { clock, db } = context;
    const [first = 0] = await fill();
    await sql`create table kept as select * from audit_events where seal in (1, 3)`.execute(db);
    await sql`create table kept_seals as select * from audit_seals where seq = 1`.execute(db);
    clock.advanceMs(1000);
    await createSealing(context).clearBefore(clock.now());
    const put = (batch: number) => sql`insert into audit_events overriding system value
      select * from kept where seal = ${batch}::bigint`;
    await verify();
    expect(faults).toEqual([]);
    await asOwner(sql`update audit_seals set cleared_at = cleared_at - interval '1 day'`);
    await verify();
    expect(faults).toEqual([{ kind: 'anchor', at: 3 }]);
    await asOwner(sql`update audit_seals set cleared_at = cleared_at + interval '1 day'`, put(1));
    await verify();
    expect(faults).toContainEqual({ kind: 'stray', at: first });
    await asOwner(sql`insert into audit_seals select * from kept_seals`);
    await verify();
    expect(faults).toEqual([{ kind: 'anchor', at: 3 }]);
    await asOwner(
      sql`delete from audit_events`,
      sql`delete from audit_seals where seq = 1`,
      put(3),
    );
    await verify();
    expect(faults).toEqual([{ kind: 'anchor', at: 3 }]);
  });

  test('an anchor of one batch is none of another', async () => {
    const { clock, db } = context;
    await fill();
    clock.advanceMs(40 * DAY_MS);
    await fill();
    clock.advanceMs(1000);
    await createSealing(context).clearBefore(clock.now());
    await context.audit({ kind: 'signOut' });
    await seal();
    const { rows } = await sql<{ cleared_mac: string }>`
      select cleared_mac from audit_seals where cleared_mac is not null`.execute(db);
    await asOwner(
      sql`delete from audit_seals where cleared_at is not null`,
      sql`delete from audit_events`,
      sql`update audit_seals set cleared_at = sealed_at, cleared_mac = ${rows[0]?.cleared_mac}`,
    );
    await verify();
    expect(faults).toContainEqual({ kind: 'anchor', at: 7 });
  });
});

test('[AUD-01] a batch is read once, whatever number of instances seal at once', async () => {
  await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      await context.audit({ kind: 'otp.sent', details: { n } });
      if (n % 4 === 0) await seal();
    }),
  );
  while ((await seal()) > 0);
  expect(await verify()).toMatchObject({ rows: 40, open: 0, faultCount: 0 });
});
