-- Enumeration `strict`: who signs up with the address of an account is given this row in its place. It can never be
-- activated, and nobody signs in to it.
alter table users add column shadow_of bigint unique references users (id) on delete cascade;

-- Which notice about the end of the trial went out last: 7 or 1 days before.
alter table users add column trial_told integer;
create index users_trial_end on users (trial_ends_at) where trial_ends_at is not null;

-- Of several forms with one address, the one whose proof made the account.
alter table registrations add column activated_at timestamptz;

-- Browsers that an account was signed in with. The hash is of cookie and account together: two accounts of one
-- browser share nothing here.
create table known_devices (
  user_id bigint not null references users (id) on delete cascade,
  device_hash text not null,
  first_seen_at timestamptz not null,
  seen_at timestamptz not null,
  primary key (user_id, device_hash)
);
