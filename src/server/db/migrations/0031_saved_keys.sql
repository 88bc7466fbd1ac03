-- Saved keys (WebAuthn credentials). Public parts only: the private key never leaves the person's device.
create table saved_keys (
  credential_id text primary key,
  user_id bigint not null references users (id) on delete cascade,
  public_key text not null,
  counter bigint not null,
  transports text[] not null,
  -- The backup flags: the key may be, and is, copied to the person's other devices.
  is_syncable boolean not null,
  is_synced boolean not null,
  aaguid text not null,
  name text not null,
  -- The domain that the device keeps it for.
  rp_id text not null,
  -- After a restore: the key counts again after a sign-in by password and code in the visit that showed it.
  needs_code boolean not null default false,
  shown_in uuid,
  added_at timestamptz not null,
  last_used_at timestamptz,
  removed_at timestamptz
);
create index saved_keys_user on saved_keys (user_id);
create index saved_keys_removed on saved_keys (removed_at) where removed_at is not null;

-- The name of an account on its devices: random, so that no device learns the id. And the offers of a key.
create table key_owners (
  user_id bigint primary key references users (id) on delete cascade,
  handle text not null unique,
  offers integer not null default 0,
  offered_at timestamptz
);

create table key_challenges (
  challenge text primary key,
  visit_id uuid not null references visits (id) on delete cascade,
  purpose text not null,
  user_id bigint references users (id) on delete cascade,
  expires_at timestamptz not null
);
create index key_challenges_visit on key_challenges (visit_id);
create index key_challenges_user on key_challenges (user_id);
create index key_challenges_expires on key_challenges (expires_at);

-- One row: the domain of the keys on record, and when a backup was restored, after which an unknown key may be a lost one.
create table key_domain (
  is_only boolean primary key default true check (is_only),
  rp_id text,
  restored_at timestamptz
);

-- When an account first came by the staff entrance in this browser.
alter table known_devices add column staff_entrance_at timestamptz;
