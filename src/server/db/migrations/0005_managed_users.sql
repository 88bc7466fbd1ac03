-- What applications keep with an account: the person may change the first, only machines the second.
alter table users add column user_metadata jsonb not null default '{}'
  check (length(user_metadata::text) <= 32768);
alter table users add column app_metadata jsonb not null default '{}'
  check (length(app_metadata::text) <= 32768);
alter table users add column updated_at timestamptz;

-- Two accounts of one person. Both go on signing in as themselves.
create table linked_accounts (
  user_id bigint primary key references users (id) on delete cascade,
  primary_id bigint not null references users (id) on delete cascade,
  linked_at timestamptz not null,
  check (user_id <> primary_id)
);
create index linked_accounts_primary on linked_accounts (primary_id);
