-- `porchlight support REFERENCE` finds one request among millions of events (OPS-16).
create index audit_events_request on audit_events (request_id) where request_id is not null;
