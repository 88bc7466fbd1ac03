-- Browsers in counter mode (decision 210). `visit_id`, `started_at` and `clears_at` are of the person who uses the device
-- now, and empty between two persons.
create table shared_devices (
  id text primary key,
  subtenant_id integer not null references subtenants (id),
  name text not null,
  -- Of the device's own cookie.
  token_hash text not null unique,
  switched_on_by bigint references users (id) on delete set null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  ended_at timestamptz,
  visit_id uuid,
  started_at timestamptz,
  clears_at timestamptz
);
create index shared_devices_subtenant on shared_devices (subtenant_id, created_at);
create index shared_devices_clears on shared_devices (clears_at) where clears_at is not null;
create index shared_devices_by on shared_devices (switched_on_by);
create index shared_devices_ended on shared_devices (ended_at);
