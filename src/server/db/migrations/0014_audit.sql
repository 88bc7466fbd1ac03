-- What each event says beside its kind. Null: an event of the release before.
alter table audit_events add column request_id text;
alter table audit_events add column subtenant_id integer;
alter table audit_events add column actor text;
alter table audit_events add column outcome text check (outcome in ('success', 'failure'));
alter table audit_events add column reason text;

-- Where a row stands in the chain, written by the sealing job (decision 095). The row's hash covers `network` and
-- `subject` in place of the address and the account: those two can go without breaking the chain.
alter table audit_events add column seal bigint;
alter table audit_events add column hash text;
alter table audit_events add column subject text;
alter table audit_events add column network text;
alter table audit_events add constraint audit_events_sealed check ((seal is null) = (hash is null));
create index audit_events_open on audit_events (id) where seal is null;
create index audit_events_chain on audit_events (seal, id) where seal is not null;
create index audit_events_whole_ip on audit_events (at) where ip is not null;

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

-- A person's leads, for who asks for them or has them erased.
create index received_leads_email on received_leads (lower(lead ->> 'email'));
