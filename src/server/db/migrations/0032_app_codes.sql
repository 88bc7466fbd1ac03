-- Codes from an authenticator app (TOTP), in place of the mailed code. Removed rows stay for an undo; one that was
-- never confirmed is no way in.
create table app_codes (
  id text primary key,
  user_id bigint not null references users on delete cascade,
  -- Encrypted (secret-box.ts).
  secret text not null,
  -- The step of the newest accepted code: it and every older one is refused.
  last_step integer not null default 0,
  added_at timestamptz not null,
  confirmed_at timestamptz,
  removed_at timestamptz
);
create unique index app_codes_living on app_codes (user_id) where confirmed_at is not null and removed_at is null;
create index app_codes_user on app_codes (user_id);
create index app_codes_added on app_codes (added_at);
create index app_codes_removed on app_codes (removed_at);

-- Printed once, each used once. Their hashes have the app's secret as key.
create table recovery_codes (
  app_code_id text not null references app_codes on delete cascade,
  hash text not null,
  added_at timestamptz not null,
  used_at timestamptz,
  primary key (app_code_id, hash)
);
