import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestApp } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp());

const run = (text: string) => sql.raw(text).execute(testApp.db);
const ready = async () => (await fetch(new URL('/api/health/ready', testApp.url))).status;

test.each([
  ['53100', 'disk_full'],
  ['53200', 'out_of_memory'],
  ['58030', 'io_error'],
])(
  '[R42] [R54] S36: %s %s is 503 and not ready, until the database has room again',
  async (code) => {
    await run(`create function no_room() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '${code}'; end $$`);
    await run(`create function no_room_for_tables() returns event_trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '${code}'; end $$`);
    await run('create trigger no_room before insert on visits execute function no_room()');
    await run(
      `create event trigger no_room on ddl_command_start when tag in ('CREATE TABLE AS') execute function no_room_for_tables()`,
    );
    // Nothing has found it out yet.
    expect(await ready()).toBe(200);
    expect(await testApp.visitor().call('getVisit', {})).toMatchObject({
      status: 503,
      errorFlag: 'UNAVAILABLE',
    });
    expect([await ready(), await ready()]).toEqual([503, 503]);
    await run('drop event trigger no_room');
    await run('drop trigger no_room on visits');
    await run('drop function no_room, no_room_for_tables');
    expect(await ready()).toBe(200);
    expect((await testApp.visitor().call('getVisit', {})).status).toBe(200);
  },
);
