-- The demo's inbox is searched without regard to capitals (DEM-03).
create index if not exists inbox_recipient_folded on inbox_messages (lower(recipient), sent_at desc);
