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
  closed_at timestamptz
);
create index staff_changes_user on staff_changes (user_id);
create index staff_changes_due on staff_changes (due_at) where done_at is null and closed_at is null;
create index staff_changes_asked on staff_changes (asked_at);
