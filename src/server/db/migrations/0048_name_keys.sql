-- The console finds people by their names as people say and type them: without marks, capitals and punctuation, each word
-- a beginning, in any order (decision 244). The keys are made in code, the same on each database and collation: a trigger
-- notes each account whose name or subtenant is written, by whichever release, and the server folds what is noted.
create table name_keys (
  user_id bigint not null references users (id) on delete cascade,
  subtenant_id integer not null,
  -- Folded words of the name in one order, without spaces.
  key text collate "C" not null,
  -- Each folded word behind a space.
  words text not null
);
create index name_keys_by_key on name_keys (subtenant_id, key);
create index name_keys_by_user on name_keys (user_id);
create table names_to_fold (id bigint generated always as identity primary key, account bigint not null);
create function note_name_to_fold() returns trigger language plpgsql as $$ begin
  insert into names_to_fold (account) values (new.id); return null; end $$;
create trigger users_name_written after insert on users for each row execute function note_name_to_fold();
create trigger users_name_changed after update of first_name, last_name, subtenant_id, shadow_of on users for each row
  when ((new.first_name, new.last_name, new.subtenant_id, new.shadow_of)
    is distinct from (old.first_name, old.last_name, old.subtenant_id, old.shadow_of))
  execute function note_name_to_fold();
-- Only numbers: no row of an account is written, and the release before goes on with them.
insert into names_to_fold (account) select id from users;
