-- An invitation is not an account: the account begins when its person answers (decision 276).

create table invitations (
  -- Random: ids in a row would count the invitations of other houses.
  id bigint primary key,
  subtenant_id integer not null references subtenants (id),
  sent_by bigint not null references users (id) on delete cascade,
  email text not null,
  email_canonical text not null,
  first_name text not null,
  last_name text not null,
  role_id integer not null,
  -- Null: the address has an account. The mail had no link, and nobody else sees a difference.
  key_hash text unique,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  -- Kept until it expires, so that the link still says what its answer was.
  answer text check (answer in ('accepted', 'declined')),
  unique (subtenant_id, email_canonical)
);
create index invitations_sent_by on invitations (sent_by);
create index invitations_email on invitations (email_canonical);
create index invitations_expiry on invitations (expires_at);

-- By a trigger, because a move or a closing ends the right of an administrator by one.
create function end_invitations() returns trigger language plpgsql as $$ begin
  delete from invitations where sent_by = old.user_id and answer is null; return null; end $$;
create trigger administrators_invite after delete on house_administrators for each row
  execute function end_invitations();
