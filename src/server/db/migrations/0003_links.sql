-- Links that set a new password. Only the hash of the key is kept; the newest one counts.
create table reset_links (
  id text primary key,
  key_hash text not null unique,
  user_id bigint not null references users (id) on delete cascade,
  subtenant_id integer not null references subtenants (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index reset_links_user on reset_links (user_id, created_at desc);

-- One opening of a reset link in one browser: what UpdateForgotPassword is allowed by.
create table reset_handles (
  id text primary key,
  link_id text not null references reset_links (id) on delete cascade,
  visit_id uuid not null references visits (id) on delete cascade,
  tries integer not null default 0,
  created_at timestamptz not null
);

-- Links that lead to the code of a pending account. With a visit they work in that browser alone.
create table activation_links (
  id text primary key,
  key_hash text not null unique,
  user_id bigint not null references users (id) on delete cascade,
  registration_id text not null references registrations (id) on delete cascade,
  visit_id uuid references visits (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index activation_links_registration on activation_links (registration_id);

-- Browsers that followed a link: they may have the code sent, to the account's own contacts.
create table activation_visits (
  link_id text not null references activation_links (id) on delete cascade,
  visit_id uuid not null references visits (id) on delete cascade,
  opened_at timestamptz not null,
  primary key (link_id, visit_id)
);
create index activation_visits_visit on activation_visits (visit_id);

-- A pending account that this visit asked about: 'Verify here.' leads to its code.
alter table visits add column unverified_user_id bigint references users (id) on delete set null;

-- An account made for somebody else has neither a visit nor a password until its owner comes.
alter table registrations alter column visit_id drop not null;
alter table registrations alter column password_hash drop not null;
