-- Trusted helpers (decision 186). The member's code precedes `asked_at`; the helper's code precedes `added_at`, from which
-- on the row counts. `ends_at` is the end of the ask, and then of the year.
create table helpers (
  id text primary key,
  member_id bigint not null references users (id) on delete cascade,
  -- Empty until the person of the address has said yes.
  helper_id bigint references users (id) on delete cascade,
  email text not null,
  email_canonical text not null,
  relation text not null,
  asked_at timestamptz not null,
  added_at timestamptz,
  ends_at timestamptz not null,
  -- When both were told that the year is nearly over.
  end_told_at timestamptz,
  removed_at timestamptz,
  removed_by text check (removed_by in ('member', 'helper', 'reset', 'account', 'operator'))
);
create unique index helpers_open on helpers (member_id, email_canonical) where removed_at is null;
create index helpers_member on helpers (member_id);
create index helpers_helper on helpers (helper_id);
create index helpers_address on helpers (email_canonical);
create index helpers_ends on helpers (ends_at);
create index helpers_removed on helpers (removed_at);
