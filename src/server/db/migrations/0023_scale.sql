-- What a table of millions showed (decision 123). On a large installation make them beforehand, without blocking anybody:
-- docs/operations/deploy.md, "A new release".

-- How many of the last texted codes were used: where most codes go by mail, the index of all codes leads nowhere.
create index if not exists otp_codes_texted on otp_codes (sent_at desc) where medium <> 3;

-- What waits, and dead letters that could still be sent: counted at each look of Prometheus.
create index if not exists outbox_open on outbox (kind, created_at)
  where done_at is null and (dead_at is null or payload <> '{}'::jsonb);

-- `porchlight user list`, the newest first.
create index if not exists users_newest on users (created_at desc, id) where shadow_of is null;

-- Who has a role: `porchlight user list --role`, `porchlight doctor`.
create index if not exists user_roles_role on user_roles (role_id, user_id);

-- The guards of the audit log ask for the newest anchor at each batch that goes.
create index if not exists audit_seals_cleared on audit_seals (seq) where cleared_at is not null;
