-- The console counts sign-ins by the kinds of their events, and filters the audit log by kind and by staff.
-- On a large installation make them beforehand, without blocking anybody: docs/operations/deploy.md, "A new release".
create index if not exists audit_events_of_kind on audit_events (kind, at);
create index if not exists audit_events_of_actor on audit_events (actor, at) where actor <> 'visitor';
