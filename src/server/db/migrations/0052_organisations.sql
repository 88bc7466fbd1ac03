-- Organisations: their people sign in by the organisation's own OpenID Connect provider, and a directory may keep their
-- accounts by SCIM (decision 272).

-- An issuer has one sign-in for a subtenant: another issuer, or another claim as the subject, is another organisation.
create table organisations (
  -- Chosen by the operator: a part of the redirect address.
  id text primary key,
  subtenant_id integer not null references subtenants (id),
  label text not null,
  issuer text not null,
  client_id text not null,
  -- Encrypted (secret-box.ts).
  client_secret text not null,
  secret_ends_at timestamptz,
  subject_claim text not null check (subject_claim in ('sub', 'oid')),
  -- The `hd` that an answer must have.
  hosted_domain text,
  role_ids integer[] not null,
  second_factor text not null check (second_factor in ('ours', 'theirs')),
  -- With `theirs`: one of these must be in an answer, and its `auth_time` must be this new.
  amr_values text[] not null,
  acr_values text[] not null,
  max_auth_age_seconds integer,
  opens_console boolean not null,
  -- Linked people sign in by this organisation alone.
  is_only boolean not null,
  help_name text,
  help_number text,
  -- The directory's bearer, shown once.
  bearer_hash text unique,
  bearer_made_at timestamptz,
  -- The directory's values of roles, with our roles.
  role_map jsonb not null,
  is_on boolean not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  unique (subtenant_id, issuer, subject_claim)
);

-- Mail domains, as A-labels.
create table organisation_domains (
  domain text primary key,
  organisation_id text not null references organisations (id) on delete cascade
);
create index organisation_domains_of on organisation_domains (organisation_id);

-- Which person of an organisation is which account. An ended row stays: a link never comes back by itself.
create table organisation_links (
  issuer text not null,
  subject text not null,
  organisation_id text not null references organisations (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  -- The person's name there, for the page of the account.
  shown_name text not null,
  made_by text not null check (made_by in ('account', 'invitation', 'scim')),
  made_at timestamptz not null,
  ended_at timestamptz,
  -- The directory switched the person off: only it, or an operator by unlinking, takes the mark away.
  off_at timestamptz,
  -- Staff had switched the person off before: activating over there takes the mark away, and nothing else.
  is_off_by_staff boolean not null default false,
  -- A person whom the directory keeps has an id there, and roles that it gave.
  scim_id uuid unique,
  scim_role_ids integer[] not null default '{}',
  -- An operator offers the account to the directory, and its person agrees.
  offered_at timestamptz,
  agreed_at timestamptz,
  primary key (issuer, subject)
);
create unique index organisation_links_open on organisation_links (user_id) where ended_at is null;
create index organisation_links_user on organisation_links (user_id);
create index organisation_links_of on organisation_links (organisation_id);

-- A sign-in over there that is under way, for ten minutes.
create table organisation_sign_ins (
  state_hash text primary key,
  organisation_id text not null references organisations (id) on delete cascade,
  visit_id uuid not null references visits (id) on delete cascade,
  purpose text not null check (purpose in ('signIn', 'link', 'invitation')),
  -- The one thing that it is for: the page after a sign-in, the session of a link, the key of an invitation.
  about text not null,
  nonce text not null,
  -- Encrypted (secret-box.ts).
  code_verifier text not null,
  expires_at timestamptz not null,
  -- An answer that passed its checks: the person has yet to agree to the link.
  subject text,
  shown_name text,
  used_at timestamptz
);
create index organisation_sign_ins_visit on organisation_sign_ins (visit_id);
create index organisation_sign_ins_of on organisation_sign_ins (organisation_id);
create index organisation_sign_ins_expiry on organisation_sign_ins (expires_at);
