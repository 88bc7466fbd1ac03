-- White-label subtenants. The logo is a path on our own origin.
create table subtenants (
  id integer primary key,
  name text not null,
  logo_path text not null,
  accent text,
  is_active boolean not null default true
);

-- One browser. Everything pending belongs to a visit; only the hash of its cookie is kept.
create table visits (
  id uuid primary key,
  token_hash text not null unique,
  subtenant_id integer references subtenants (id),
  created_at timestamptz not null,
  seen_at timestamptz not null
);

create table users (
  id bigint primary key,
  email text not null,
  email_canonical text not null unique,
  first_name text not null,
  last_name text not null,
  dial_code text not null,
  mobile text not null,
  password_hash text,
  status text not null check (status in ('pending', 'active', 'inactive')),
  sign_up_platform integer not null,
  subtenant_id integer not null references subtenants (id),
  created_at timestamptz not null,
  activated_at timestamptz,
  trial_ends_at timestamptz
);

create table user_roles (
  user_id bigint not null references users (id) on delete cascade,
  role_id integer not null,
  primary key (user_id, role_id)
);

-- One filled-in sign-up form. Its details count only once the code sent to its address is proven.
create table registrations (
  id text primary key,
  visit_id uuid not null references visits (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  first_name text not null,
  last_name text not null,
  dial_code text not null,
  mobile text not null,
  email text not null,
  password_hash text not null,
  role_id integer not null,
  subtenant_id integer not null references subtenants (id),
  promo_code text,
  mode text not null,
  created_at timestamptz not null,
  completed_at timestamptz
);
create index registrations_visit on registrations (visit_id, created_at desc);

create table survey_answers (
  id uuid primary key,
  user_id bigint not null references users (id) on delete cascade,
  subject_id integer not null,
  response_id integer not null,
  sub_response text not null,
  created_at timestamptz not null,
  unique (user_id, subject_id, response_id)
);

create table promo_codes (
  code text primary key,
  valid_until timestamptz,
  max_uses integer,
  used integer not null default 0,
  check (max_uses is null or used <= max_uses)
);

-- One sign-in, from the first step to its end. Only a complete one has a token, roles or a hand-off.
create table sign_ins (
  id text primary key,
  app_state text not null unique,
  visit_id uuid not null references visits (id) on delete cascade,
  user_id bigint references users (id) on delete cascade,
  entrance text not null,
  stage text not null check (stage in ('password', 'otp', 'verified', 'complete', 'ended')),
  amr text[] not null default '{}',
  created_at timestamptz not null,
  verified_at timestamptz,
  completed_at timestamptz,
  seen_at timestamptz not null,
  ended_at timestamptz
);
create index sign_ins_visit on sign_ins (visit_id, created_at desc);
create index sign_ins_user on sign_ins (user_id) where ended_at is null;

-- One authorization request of a sign-in: state, nonce and PKCE verifier stay in the backend.
create table authorizations (
  state text primary key,
  sign_in_id text not null references sign_ins (id) on delete cascade,
  nonce text not null,
  code_verifier text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

create table auth_tokens (
  token_hash text primary key,
  sign_in_id text not null references sign_ins (id) on delete cascade,
  expires_at timestamptz not null
);
create index auth_tokens_sign_in on auth_tokens (sign_in_id);

create table otp_codes (
  id text primary key,
  visit_id uuid not null references visits (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  registration_id text references registrations (id) on delete cascade,
  sign_in_id text references sign_ins (id) on delete cascade,
  type text not null,
  medium integer not null,
  code_hmac text not null,
  tries integer not null default 0,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  verified_at timestamptz,
  -- Replaced by a newer code, or spent by what it allowed.
  closed_at timestamptz
);
create index otp_codes_visit on otp_codes (visit_id, sent_at desc);
create index otp_codes_user on otp_codes (user_id, sent_at desc);

create table handoffs (
  jti text primary key,
  sign_in_id text not null references sign_ins (id) on delete cascade,
  module text not null,
  role_id integer not null,
  role_ids integer[] not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  redeemed_at timestamptz
);
create index handoffs_sign_in on handoffs (sign_in_id, module, issued_at desc);

create table signing_keys (
  kid text primary key,
  purpose text not null unique,
  sealed text not null,
  created_at timestamptz not null
);

-- Work that must happen because something else did: written in the same transaction as its cause.
create table outbox (
  id uuid primary key,
  kind text not null,
  payload jsonb not null,
  idempotency_key text not null unique,
  created_at timestamptz not null,
  run_at timestamptz not null,
  attempts integer not null default 0,
  locked_until timestamptz,
  -- After this there is no point: a code is never delivered late.
  expires_at timestamptz,
  done_at timestamptz,
  dead_at timestamptz,
  last_error text
);
create index outbox_due on outbox (run_at) where done_at is null and dead_at is null;

-- Demo mode: what the dev inbox and the lead sink received.
create table inbox_messages (
  id uuid primary key,
  idempotency_key text not null unique,
  channel text not null,
  recipient text not null,
  subject text not null,
  text text not null,
  html text,
  code text,
  link text,
  sent_at timestamptz not null
);
create index inbox_recipient on inbox_messages (recipient, sent_at desc);

create table received_leads (
  idempotency_key text primary key,
  lead jsonb not null,
  received_at timestamptz not null
);

-- Counters that several instances share; a row counts until it expires.
create table limits (
  key text primary key,
  points integer not null,
  expires_at timestamptz not null
);
create index limits_expiry on limits (expires_at);

create table audit_events (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  kind text not null,
  user_id bigint,
  visit_id uuid,
  ip text,
  details jsonb not null default '{}'
);
create index audit_events_user on audit_events (user_id, at desc);
