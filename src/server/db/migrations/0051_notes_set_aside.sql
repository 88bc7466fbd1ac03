-- The whole schema. A later change is a file of its own. This one has the name of the last of 43 migrations of the time
-- before the first release, so that a database that has them all is up to date.

-- Subtenants and people

-- White-label subtenants. The logo is a path on our own origin.
create table subtenants (
  id integer primary key,
  name text not null,
  logo_path text not null,
  accent text,
  is_active boolean not null default true,
  -- The language that an operator set for the subtenant's people.
  language text
);

-- Logos that operators send by the console: every instance has them, and a backup too. A name holds a digest of the file.
create table logos (
  file text primary key,
  content text not null,
  added_at timestamptz not null
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
  trial_ends_at timestamptz,
  -- What applications keep with an account: the person may change the first, only machines the second.
  user_metadata jsonb not null default '{}'
    check (length(user_metadata::text) <= 32768),
  app_metadata jsonb not null default '{}'
    check (length(app_metadata::text) <= 32768),
  updated_at timestamptz,
  -- The id of the user at a real Auth0 tenant, which alone has the password (ARC-05).
  hosted_user_id text unique,
  -- The tenant's job that makes the user, while it runs.
  hosted_job_id text,
  -- Enumeration `strict`: a sign-up with the address of an account gets a row that names the account here. Such a row is
  -- never activated, and has no sign-in.
  shadow_of bigint unique references users (id) on delete cascade,
  -- Which notice about the end of the trial went out last: 7 or 1 days before.
  trial_told integer,
  -- Since when the person has proven to read the mailbox and the phone: the claims email_verified, phone_number_verified.
  email_proven_at timestamptz,
  phone_proven_at timestamptz,
  -- The mail was proven without the password: until the password is proven no code goes to the typed phone.
  mail_codes_only boolean not null default false,
  first_signed_in_at timestamptz,
  -- Accounts that came by `porchlight user import`: a second run finds them again (decision 114). The id is that of the
  -- system that they came from.
  imported_at timestamptz,
  external_id text,
  -- Since when a new password needs, beside the mailbox, a proof older than that moment. Empty: no undo is open.
  recovery_since timestamptz,
  -- When the account will be erased. Empty: the person did not ask for it.
  closing_at timestamptz,
  -- The way this account likes its pages: letters, colours, time, as in the cookie `display`.
  display text,
  display_at timestamptz,
  -- The language that the person chose.
  language text
);
create index users_trial_end on users (trial_ends_at) where trial_ends_at is not null;
create index users_pending on users (created_at) where status = 'pending';
-- `porchlight user list`, the newest first.
create index users_newest on users (created_at desc, id) where shadow_of is null;
create index users_closing on users (closing_at) where closing_at is not null;
-- The console finds people of one subtenant by the beginning of their names or address, or by the end of their number.
create index users_by_last_name on users
  (subtenant_id, lower(last_name) text_pattern_ops, lower(first_name) text_pattern_ops) where shadow_of is null;
create index users_by_first_name on users
  (subtenant_id, lower(first_name) text_pattern_ops, lower(last_name) text_pattern_ops) where shadow_of is null;
create index users_by_address on users
  (subtenant_id, email_canonical text_pattern_ops) where shadow_of is null;
create index users_by_number on users
  (subtenant_id, reverse(regexp_replace(dial_code || mobile, '\D', '', 'g')) text_pattern_ops)
  where shadow_of is null and mobile <> '';

create table user_roles (
  user_id bigint not null references users (id) on delete cascade,
  role_id integer not null,
  primary key (user_id, role_id)
);
-- Who has a role: `porchlight user list --role`, `porchlight doctor`.
create index user_roles_role on user_roles (role_id, user_id);

-- Two accounts of one person. Both go on signing in as themselves.
create table linked_accounts (
  user_id bigint primary key references users (id) on delete cascade,
  primary_id bigint not null references users (id) on delete cascade,
  linked_at timestamptz not null,
  check (user_id <> primary_id)
);
create index linked_accounts_primary on linked_accounts (primary_id);

-- The console finds people by their names as people say and type them: without marks, capitals and punctuation, each word
-- a beginning, in any order (decision 244). The keys are made in code, the same on each database and collation: a trigger
-- notes each account whose name or subtenant is written, by whichever release, and the server folds what is noted.
create table name_keys (
  user_id bigint not null references users (id) on delete cascade,
  subtenant_id integer not null,
  -- Folded words of the name in one order, without spaces.
  key text collate "C" not null,
  -- Each folded word behind a space.
  words text not null
);
create index name_keys_by_key on name_keys (subtenant_id, key);
create index name_keys_by_user on name_keys (user_id);

create table names_to_fold (
  id bigint generated always as identity primary key,
  account bigint not null,
  -- A name whose keys cannot be made waits for its next try, so that it holds up no other name (decision 244).
  not_before timestamptz
);

create function note_name_to_fold() returns trigger language plpgsql as $$ begin
  insert into names_to_fold (account) values (new.id); return null; end $$;
create trigger users_name_written after insert on users for each row execute function note_name_to_fold();
create trigger users_name_changed after update of first_name, last_name, subtenant_id, shadow_of on users for each row
  when ((new.first_name, new.last_name, new.subtenant_id, new.shadow_of)
    is distinct from (old.first_name, old.last_name, old.subtenant_id, old.shadow_of))
  execute function note_name_to_fold();

-- Visits, sign-up and sign-in

-- One browser. Everything pending belongs to a visit; only the hash of its cookie is kept.
create table visits (
  id uuid primary key,
  token_hash text not null unique,
  subtenant_id integer references subtenants (id),
  created_at timestamptz not null,
  seen_at timestamptz not null,
  -- A pending account that this visit asked about: 'Verify here.' leads to its code.
  unverified_user_id bigint references users (id) on delete set null,
  -- A visit gets a new cookie at each sign-in and sign-out. The old one works until the new one has come back, and for
  -- requests under way a moment longer: `previous_until` (decision 091).
  previous_hash text unique,
  previous_until timestamptz
);
create index visits_seen on visits (seen_at);
create index visits_unverified_user on visits (unverified_user_id) where unverified_user_id is not null;

-- Browsers that an account was signed in with. The hash is of cookie and account together: two accounts of one
-- browser share nothing here.
create table known_devices (
  user_id bigint not null references users (id) on delete cascade,
  device_hash text not null,
  first_seen_at timestamptz not null,
  seen_at timestamptz not null,
  primary key (user_id, device_hash),
  -- When an account first came by the staff entrance in this browser.
  staff_entrance_at timestamptz
);
create index known_devices_seen on known_devices (seen_at);

-- One filled-in sign-up form. Its details count only once the code sent to its address is proven.
create table registrations (
  id text primary key,
  -- An account made by an operator or an application has neither a visit nor a password until its owner comes.
  visit_id uuid references visits (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  first_name text not null,
  last_name text not null,
  dial_code text not null,
  mobile text not null,
  email text not null,
  -- Kept until the form is done (SEC-08).
  password_hash text,
  role_id integer not null,
  subtenant_id integer not null references subtenants (id),
  promo_code text,
  mode text not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  -- Of several forms with one address, the one whose proof made the account.
  activated_at timestamptz,
  -- Filled in where answers about addresses look alike: as in enumeration `strict`, by mail alone.
  by_mail_only boolean not null default false
);
create index registrations_visit on registrations (visit_id, created_at desc);
create index registrations_user on registrations (user_id);

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
create index activation_links_user on activation_links (user_id);
create index activation_links_visit on activation_links (visit_id) where visit_id is not null;
create index activation_links_expiry on activation_links (expires_at);

-- Browsers that followed a link: they may have the code sent, to the account's own contacts.
create table activation_visits (
  link_id text not null references activation_links (id) on delete cascade,
  visit_id uuid not null references visits (id) on delete cascade,
  opened_at timestamptz not null,
  primary key (link_id, visit_id)
);
create index activation_visits_visit on activation_visits (visit_id);

-- They belong to their form until the code was right, then to the account.
create table survey_answers (
  id uuid primary key,
  user_id bigint references users (id) on delete cascade,
  subject_id integer not null,
  response_id integer not null,
  sub_response text not null,
  created_at timestamptz not null,
  registration_id text references registrations (id) on delete cascade,
  -- The answer's text, encrypted (decision 120). Only the oldest rows have text in `sub_response`.
  sealed_text text,
  unique (user_id, subject_id, response_id),
  constraint survey_answers_form unique (registration_id, subject_id, response_id),
  constraint survey_answers_owner check ((user_id is null) <> (registration_id is null))
);
-- What is still to be sealed; empty once that is done.
create index survey_answers_plain on survey_answers (id) where sub_response <> '';

create table promo_codes (
  code text primary key,
  valid_until timestamptz,
  max_uses integer,
  used integer not null default 0,
  check (max_uses is null or used <= max_uses)
);

-- Forms that a browser sent without script, for as long as a double click may send them once more, maybe to another
-- instance. Neither what was typed nor the answer can be read: the form itself is the key to it (decision 124).
create table answered_forms (
  id text primary key,
  expires_at timestamptz not null,
  -- Empty while it is run.
  answer text,
  -- Which request runs a form: one whose lease ran out must not overwrite the answer of the one that took over.
  owner text
);
create index answered_forms_expiry on answered_forms (expires_at);

-- Proofs of work that were handed in: each counts once, on whichever instance. Without a moment of use
-- one waits for the password of its visit.
create table captcha_solutions (
  id text primary key,
  visit_id uuid not null references visits (id) on delete cascade,
  purpose text not null,
  expires_at timestamptz not null,
  spent_at timestamptz
);
create index captcha_solutions_waiting on captcha_solutions (visit_id) where spent_at is null;
create index captcha_solutions_visit on captcha_solutions (visit_id);
create index captcha_solutions_expiry on captcha_solutions (expires_at);

-- Counters that several instances share; a row counts until it expires.
create table limits (
  key text primary key,
  points integer not null,
  expires_at timestamptz not null,
  -- How often a limit whose wait doubles has been waited out.
  locks integer not null default 0
);
create index limits_expiry on limits (expires_at);

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
  ended_at timestamptz,
  -- Which session of the tenant a sign-in belongs to. The embedded hosted login makes its session after the code: none here.
  hosted_sub text,
  hosted_sid text,
  hosted_auth_time bigint,
  -- What an operator sees of a session (decision 126): roughly which browser, the network that it came from, and the
  -- session at the hosted login that its code began.
  browser text,
  network text,
  hosted_uid text,
  -- When the person proved by a code, within a session, that it is still they: a change of a way in asks for it.
  stepped_up_at timestamptz
);
create index sign_ins_visit on sign_ins (visit_id, created_at desc);
create index sign_ins_user on sign_ins (user_id) where ended_at is null;
create index sign_ins_of_user on sign_ins (user_id) where user_id is not null;

-- One authorization request of a sign-in: state, nonce and PKCE verifier stay in the backend.
create table authorizations (
  state text primary key,
  sign_in_id text not null references sign_ins (id) on delete cascade,
  nonce text not null,
  code_verifier text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index authorizations_sign_in on authorizations (sign_in_id);
create index authorizations_expiry on authorizations (expires_at);

create table auth_tokens (
  token_hash text primary key,
  sign_in_id text not null references sign_ins (id) on delete cascade,
  expires_at timestamptz not null
);
create index auth_tokens_sign_in on auth_tokens (sign_in_id);
create index auth_tokens_expiry on auth_tokens (expires_at);

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

-- Browsers in counter mode (decision 210). `visit_id`, `started_at` and `clears_at` are of the person who uses the device
-- now, and empty between two persons.
create table shared_devices (
  id text primary key,
  subtenant_id integer not null references subtenants (id),
  name text not null,
  -- The hash of the device's own cookie.
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

-- Proofs: codes, links, keys, apps

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
  closed_at timestamptz,
  -- The mail and the text of one step carry different digits: code_hmac is the mail's.
  phone_code_hmac text,
  proven text check (proven in ('email', 'phone')),
  -- What was counted when the code was sent; a code that is used gives it back.
  counted jsonb not null default '[]',
  -- The one thing that the code proves (decision 242).
  subject text
);
create index otp_codes_visit on otp_codes (visit_id, sent_at desc);
create index otp_codes_user on otp_codes (user_id, sent_at desc);
-- How many of the last codes were used decides whether texts are still sent.
create index otp_codes_sent on otp_codes (sent_at desc);
create index otp_codes_registration on otp_codes (registration_id) where registration_id is not null;
create index otp_codes_sign_in on otp_codes (sign_in_id) where sign_in_id is not null;
-- How many of the last texted codes were used: where most codes go by mail, the index of all codes leads nowhere.
create index otp_codes_texted on otp_codes (sent_at desc) where medium <> 3;

-- Links that set a new password. Only the hash of the key is kept; the newest one counts.
create table reset_links (
  id text primary key,
  key_hash text not null unique,
  user_id bigint not null references users (id) on delete cascade,
  subtenant_id integer not null references subtenants (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- The application that the request for a new password came from, and where a program's ticket leads back to (decision
  -- 127).
  client_id text,
  request_id text,
  result_url text,
  -- Not where a program passes the link on in a way of its own.
  proves_mail boolean not null default true,
  -- The holder of the link has also proven something older than the change that was undone.
  older_proof_at timestamptz
);
create index reset_links_user on reset_links (user_id, created_at desc);
create index reset_links_expiry on reset_links (expires_at);

-- One opening of a reset link in one browser: what UpdateForgotPassword is allowed by.
create table reset_handles (
  id text primary key,
  link_id text not null references reset_links (id) on delete cascade,
  visit_id uuid not null references visits (id) on delete cascade,
  tries integer not null default 0,
  created_at timestamptz not null
);
create index reset_handles_link on reset_handles (link_id);
create index reset_handles_visit on reset_handles (visit_id);

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
  expires_at timestamptz not null,
  -- The one thing that the challenge proves (decision 242).
  subject text
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
  removed_at timestamptz,
  -- The session that began to set up an app: its key is shown, and confirmed, there alone (PRF-24).
  sign_in_id text
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

-- Changes of contacts and ways in, and helpers

-- Changes of a contact by the person (decision 170). `changed_at` is empty while the code of the new contact is awaited.
-- Each row keeps the previous contacts, for an undo.
create table contact_changes (
  id text primary key,
  user_id bigint not null references users (id) on delete cascade,
  sign_in_id text,
  contact text not null check (contact in ('email', 'phone')),
  email text not null,
  dial_code text not null,
  mobile text not null,
  asked_at timestamptz not null,
  changed_at timestamptz,
  undo_until timestamptz,
  undo_key_hash text unique,
  closed_at timestamptz,
  old_email text not null default '',
  old_email_canonical text not null default '',
  old_email_proven_at timestamptz,
  old_dial_code text not null default '',
  old_mobile text not null default '',
  old_phone_proven_at timestamptz,
  old_mail_codes_only boolean not null default false
);
create index contact_changes_user on contact_changes (user_id);
create index contact_changes_reserved on contact_changes (old_email_canonical)
  where changed_at is not null and closed_at is null;

-- What the help desk changes about a person's ways in (decision 206): it counts at once when the person proves an older
-- way, else 72 hours after a second staff member agreed.
create table staff_changes (
  id text primary key,
  user_id bigint not null references users (id) on delete cascade,
  what text not null check (what in ('email', 'phone', 'key', 'appCode')),
  email text not null,
  dial_code text not null,
  mobile text not null,
  -- The saved key to take away.
  credential_id text,
  asked_by bigint not null,
  asked_at timestamptz not null,
  -- Of the link that asks the person.
  link_key_hash text not null unique,
  -- The new mailbox answered: its holder pressed the button there.
  opened_at timestamptz,
  agreed_by bigint,
  due_at timestamptz,
  stop_key_hash text unique,
  done_at timestamptz,
  closed_at timestamptz,
  -- Who stood behind a change by staff (decision 206): asked for again after a stop, with the person at the desk and an
  -- operator among the two, it is stopped only with a proof.
  with_person boolean not null default false,
  with_operator boolean not null default false
);
create index staff_changes_user on staff_changes (user_id);
create index staff_changes_due on staff_changes (due_at) where done_at is null and closed_at is null;
create index staff_changes_asked on staff_changes (asked_at);

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

-- The hosted login and its clients

-- The embedded hosted login: sessions, grants, codes and tokens of the provider (ARC-04).
create table hosted_payloads (
  model text not null,
  -- A keyed hash where the id itself is a bearer secret, so that a copy of this table opens nothing.
  id text not null,
  payload jsonb not null,
  grant_id text,
  uid text,
  user_code text,
  account_id text,
  expires_at timestamptz,
  consumed_at timestamptz,
  primary key (model, id)
);
create index hosted_payloads_grant on hosted_payloads (grant_id) where grant_id is not null;
create unique index hosted_payloads_uid on hosted_payloads (model, uid) where uid is not null;
create unique index hosted_payloads_user_code on hosted_payloads (model, user_code) where user_code is not null;
create index hosted_payloads_account on hosted_payloads (account_id) where account_id is not null;
create index hosted_payloads_expiry on hosted_payloads (expires_at) where expires_at is not null;

-- One-time tickets of a sign-in by the portal.
create table hosted_tickets (
  hash text primary key,
  account_id text not null,
  client_id text not null,
  co_id_hash text not null,
  expires_at timestamptz not null,
  -- How the ticket's holder proved who they are: a password, or a code of a passwordless sign-in.
  amr text not null default 'pwd'
);
create index hosted_tickets_account on hosted_tickets (account_id);
create index hosted_tickets_expiry on hosted_tickets (expires_at);

-- A sign-in by calls alone that waits for its code: after a password (mfa_token), or passwordless.
create table hosted_challenges (
  -- A keyed hash of the mfa_token, or of client and address.
  hash text primary key,
  client_id text not null,
  -- Null for an address without an account: the answer must not tell.
  account_id text,
  -- What the server knows the sent code by; null before a code is sent.
  handle text,
  -- Scope and audience that were asked for.
  details jsonb not null,
  expires_at timestamptz not null
);
create index hosted_challenges_account on hosted_challenges (account_id) where account_id is not null;
create index hosted_challenges_expiry on hosted_challenges (expires_at);

-- One ring of keys for everything that the server signs: ID tokens, the hosted login's cookies, hand-offs. A key is
-- published (created_at) before it signs (signs_from) and verifies for a while after its successor signs (ends_at).
create table server_keys (
  kid text primary key,
  key_use text not null,
  -- Two instances that make the same key at once both try this number; the constraint lets one in.
  generation integer not null,
  sealed text not null,
  created_at timestamptz not null,
  signs_from timestamptz not null,
  ends_at timestamptz,
  unique (key_use, generation)
);

-- Clients that were added by the command; those of the settings file are not stored.
create table clients (
  id text primary key,
  -- As the file spells it. A secret is in it as its hash alone.
  definition jsonb not null,
  changed_at timestamptz not null
);

-- One authorization request that waits for a person, bound to the browser it came with.
create table client_requests (
  id text primary key,
  visit_id uuid not null references visits (id) on delete cascade,
  -- The hosted login's own id of it, sealed: a copy of this table resumes nothing.
  interaction text not null,
  client_id text not null,
  step text not null,
  -- A session that lives already is not enough (prompt=login, max_age).
  is_fresh boolean not null,
  scopes text[] not null,
  login_hint text,
  subtenant_id integer,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  result_url text
);
create index client_requests_visit on client_requests (visit_id);
create index client_requests_expiry on client_requests (expires_at);

create table consents (
  user_id bigint not null references users (id) on delete cascade,
  client_id text not null,
  scopes text[] not null,
  changed_at timestamptz not null,
  primary key (user_id, client_id)
);

-- Messages and other work of the outbox

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
  last_error text,
  -- After this a job that still fails becomes a dead letter; an operator's retry gives it new time.
  give_up_at timestamptz
);
create index outbox_due on outbox (run_at) where done_at is null and dead_at is null;
create index outbox_done on outbox (done_at) where done_at is not null;
create index outbox_dead on outbox (dead_at) where dead_at is not null;
-- Figures of the queue, counted along an index and up to a bound: a long queue makes no scrape slow.
create index outbox_waiting_of_kind on outbox (kind, created_at) where done_at is null and dead_at is null;
create index outbox_dead_of_kind on outbox (kind, created_at)
  where done_at is null and dead_at is not null and payload::text != '{}';
-- What waits, and dead letters that could still be sent: counted at each look of Prometheus.
create index outbox_open on outbox (kind, created_at)
  where done_at is null and (dead_at is null or payload <> '{}'::jsonb);

-- What became of each message: never its content, never its full address.
create table messages (
  id uuid primary key,
  -- The key of its job in the outbox, the same for every try.
  idempotency_key text not null unique,
  -- The code it carries, and with it the visit that may ask about it.
  otp_id text references otp_codes (id) on delete cascade,
  channel text not null check (channel in ('email', 'sms', 'whatsapp', 'voice')),
  -- Masked, as the visitor is shown it.
  destination text not null,
  state text not null check (state in ('queued', 'sent', 'delivered', 'failed')),
  -- The class of the reason, for a message that failed.
  reason text,
  -- Whether the provider tells later what became of it.
  has_receipts boolean not null default false,
  -- Keyed hash of the id that the provider gave it.
  provider_ref text,
  queued_at timestamptz not null,
  sent_at timestamptz,
  delivered_at timestamptz,
  failed_at timestamptz,
  -- Figures of messages by subtenant (decision 121).
  subtenant_id integer,
  -- The code that a call says, apart from `otp_id`, by which a visitor lists mails and texts.
  called_otp_id text references otp_codes (id) on delete cascade
);
create index messages_otp on messages (otp_id) where otp_id is not null;
create index messages_queued on messages (queued_at);
create index messages_called_otp on messages (called_otp_id) where called_otp_id is not null;

-- The audit log

create table audit_events (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  kind text not null,
  user_id bigint,
  visit_id uuid,
  ip text,
  details jsonb not null default '{}',
  -- What each event says beside its kind. The oldest events have none.
  request_id text,
  subtenant_id integer,
  actor text,
  outcome text check (outcome in ('success', 'failure')),
  reason text,
  -- Where a row stands in the chain, written by the sealing job (decision 095). The row's hash covers `network` and
  -- `subject` in place of the address and the account: those two can go without breaking the chain.
  seal bigint,
  hash text,
  subject text,
  network text,
  constraint audit_events_sealed check ((seal is null) = (hash is null))
);
create index audit_events_user on audit_events (user_id, at desc);
create index audit_events_at on audit_events (at);
create index audit_events_open on audit_events (id) where seal is null;
create index audit_events_chain on audit_events (seal, id) where seal is not null;
create index audit_events_whole_ip on audit_events (at) where ip is not null;
-- `porchlight support REFERENCE` finds one request among millions of events (OPS-16).
create index audit_events_request on audit_events (request_id) where request_id is not null;
-- The console counts sign-ins by the kinds of their events, and filters the audit log by kind and by staff.
create index audit_events_of_kind on audit_events (kind, at);
create index audit_events_of_actor on audit_events (actor, at) where actor <> 'visitor';

-- One batch of sealed rows. The oldest one that is left may be an anchor: its rows went by retention.
create table audit_seals (
  seq bigint primary key,
  row_count integer not null check (row_count > 0),
  last_hash text not null,
  newest_at timestamptz not null,
  sealed_at timestamptz not null,
  mac text not null,
  cleared_at timestamptz,
  cleared_mac text,
  check ((cleared_at is null) = (cleared_mac is null))
);
-- The guards of the audit log ask for the newest anchor at each batch that goes.
create index audit_seals_cleared on audit_seals (seq) where cleared_at is not null;

-- The one key of the chain, sealed under PORCHLIGHT_SECRET.
create table audit_keys (
  id integer primary key check (id = 1),
  sealed text not null,
  created_at timestamptz not null
);

-- What the application may do with a row: seal it once, take the account and the address out of it, nothing else.
create function audit_events_stay() returns trigger language plpgsql as $$ begin
  if (new.id, new.at, new.kind, new.visit_id, new.details, new.request_id, new.subtenant_id, new.actor, new.outcome, new.reason)
    is distinct from (old.id, old.at, old.kind, old.visit_id, old.details, old.request_id, old.subtenant_id, old.actor, old.outcome, old.reason)
  or (old.seal is not null
    and (new.seal, new.hash, new.subject, new.network) is distinct from (old.seal, old.hash, old.subject, old.network))
  or (new.user_id is distinct from old.user_id and new.user_id is not null)
  or (new.ip is distinct from old.ip and new.ip is not null)
  then raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege'; end if; return new; end $$;
create trigger audit_events_stay before update on audit_events for each row execute function audit_events_stay();

-- Rows go with their batch, once it is an anchor or older than one.
create function audit_events_kept() returns trigger language plpgsql as $$ begin
  if exists (select 1 from gone where gone.seal is null
    or gone.seal > coalesce((select max(seq) from audit_seals where cleared_at is not null), 0))
  then raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege'; end if; return null; end $$;
create trigger audit_events_kept after delete on audit_events referencing old table as gone
  for each statement execute function audit_events_kept();

create function audit_seals_stay() returns trigger language plpgsql as $$ begin
  if (new.seq, new.row_count, new.last_hash, new.newest_at, new.sealed_at, new.mac)
    is distinct from (old.seq, old.row_count, old.last_hash, old.newest_at, old.sealed_at, old.mac)
  or old.cleared_at is not null
  then raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege'; end if; return new; end $$;
create trigger audit_seals_stay before update on audit_seals for each row execute function audit_seals_stay();

create function audit_seals_kept() returns trigger language plpgsql as $$ begin
  if not exists (select 1 from audit_seals where seq > old.seq and cleared_at is not null)
  then raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege'; end if; return old; end $$;
create trigger audit_seals_kept before delete on audit_seals for each row execute function audit_seals_kept();

create function audit_not_emptied() returns trigger language plpgsql as $$ begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege'; end $$;
create trigger audit_events_not_emptied before truncate on audit_events for each statement execute function audit_not_emptied();
create trigger audit_seals_not_emptied before truncate on audit_seals for each statement execute function audit_not_emptied();

-- Only a demo

-- The keys of the demo's modules. The constraints have the table's first name.
create table demo_module_keys (
  kid text constraint signing_keys_pkey primary key,
  purpose text not null constraint signing_keys_purpose_key unique,
  sealed text not null,
  created_at timestamptz not null
);

-- What the demo's inbox and lead sink received.
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
create index inbox_messages_sent on inbox_messages (sent_at);
-- The inbox is searched without regard to capitals (DEM-03).
create index inbox_recipient_folded on inbox_messages (lower(recipient), sent_at desc);

create table received_leads (
  idempotency_key text primary key,
  lead jsonb not null,
  received_at timestamptz not null
);
create index received_leads_received on received_leads (received_at);
-- A person's leads, for an export or an erasure.
create index received_leads_email on received_leads (lower(lead ->> 'email'));
