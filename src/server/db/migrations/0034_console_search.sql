-- The console finds people of one subtenant by the beginning of their names or address, or by the end of their number.
-- On a large installation make them beforehand, without blocking anybody: docs/operations/deploy.md, "A new release".
create index if not exists users_by_last_name on users
  (subtenant_id, lower(last_name) text_pattern_ops, lower(first_name) text_pattern_ops) where shadow_of is null;
create index if not exists users_by_first_name on users
  (subtenant_id, lower(first_name) text_pattern_ops, lower(last_name) text_pattern_ops) where shadow_of is null;
create index if not exists users_by_address on users
  (subtenant_id, email_canonical text_pattern_ops) where shadow_of is null;
create index if not exists users_by_number on users
  (subtenant_id, reverse(regexp_replace(dial_code || mobile, '\D', '', 'g')) text_pattern_ops)
  where shadow_of is null and mobile <> '';
