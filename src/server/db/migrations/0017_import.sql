-- Accounts that came by `porchlight user import`: a second run finds them again (decision 114). The id is that of the
-- system that they came from.
alter table users add column imported_at timestamptz;
alter table users add column external_id text;
