-- Houses: a subtenant looks after itself by administrators of its own (decision 274).

-- Given and taken by operators. The row goes for good when its account moves, closes or is erased.
create table house_administrators (
  user_id bigint primary key references users (id) on delete cascade,
  subtenant_id integer not null references subtenants (id),
  -- The operator's account; null: the command line.
  given_by bigint,
  given_at timestamptz not null
);
create index house_administrators_of on house_administrators (subtenant_id);

-- By a trigger, because each release and each way to move or close an account must end the right.
create function end_house_administrator() returns trigger language plpgsql as $$ begin
  delete from house_administrators where user_id = new.id; return null; end $$;
create trigger users_leave_house after update of subtenant_id, closing_at on users for each row
  when (new.subtenant_id <> old.subtenant_id or (new.closing_at is not null and old.closing_at is null))
  execute function end_house_administrator();

-- The roles that the administrators of a house give to its staff.
create table house_roles (
  subtenant_id integer not null references subtenants (id),
  role_id integer not null,
  primary key (subtenant_id, role_id)
);

-- The look before the last change by the house, for 'Put it back'.
create table house_looks (
  subtenant_id integer primary key references subtenants (id),
  logo_path text not null,
  accent text,
  language text,
  kept_at timestamptz not null
);

-- Which colleague gave a role, and when: two staff members count as two only if neither gave the other the right.
-- Null: given before this release, or by no colleague.
alter table user_roles add column given_by bigint, add column given_at timestamptz;
alter table user_roles alter column given_at set default now();
