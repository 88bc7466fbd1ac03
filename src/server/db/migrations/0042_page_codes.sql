-- The letters of the help card: they open the state of one visit to the help desk for a while, and never an account.
create table page_codes (
  visit_id uuid primary key references visits (id) on delete cascade,
  code text not null unique,
  screen text not null,
  -- The session at the time: after a sign-in or a sign-out the letters are new.
  sign_in_id text,
  made_at timestamptz not null,
  expires_at timestamptz not null
);
create index page_codes_by_end on page_codes (expires_at);
