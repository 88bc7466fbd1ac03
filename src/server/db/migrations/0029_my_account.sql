-- Changes of a contact by the person (decision 170). `changed_at` is empty while the code of the new contact is awaited.
-- Each row keeps the contacts of before, for an undo.
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

-- Since when a new password needs, beside the mailbox, a proof older than that moment. Empty: no undo is open.
alter table users add column recovery_since timestamptz;
-- When the account will be erased. Empty: the person did not ask for it.
alter table users add column closing_at timestamptz;
create index users_closing on users (closing_at) where closing_at is not null;
-- The way this account likes its pages: letters, colours, time, as in the cookie `display`.
alter table users add column display text;
alter table users add column display_at timestamptz;

-- The holder of the link has also proven something older than the change that was undone.
alter table reset_links add column older_proof_at timestamptz;
