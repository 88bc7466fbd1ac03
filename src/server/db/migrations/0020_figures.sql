-- Figures of messages by subtenant (decision 121). Empty: a message of the release before.
alter table messages add column subtenant_id integer;

-- Figures of the queue, counted along an index and up to a bound: a long queue makes no scrape slow.
create index if not exists outbox_waiting_of_kind on outbox (kind, created_at) where done_at is null and dead_at is null;
create index if not exists outbox_dead_of_kind on outbox (kind, created_at)
  where done_at is null and dead_at is not null and payload::text != '{}';
