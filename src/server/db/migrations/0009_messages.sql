-- What became of each message: never its content, never its full address.
create table messages (
  id uuid primary key,
  -- The key of its job in the outbox, the same for every try.
  idempotency_key text not null unique,
  -- The code it carries, and with it the visit that may ask about it.
  otp_id text references otp_codes (id) on delete cascade,
  channel text not null check (channel in ('email', 'sms', 'whatsapp')),
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
  failed_at timestamptz
);
create index messages_otp on messages (otp_id) where otp_id is not null;
create index messages_queued on messages (queued_at);

-- After this a job that still fails becomes a dead letter; an operator's retry gives it new time.
alter table outbox add column give_up_at timestamptz;

-- How many of the last codes were used decides whether texts are still sent.
create index otp_codes_sent on otp_codes (sent_at desc);
