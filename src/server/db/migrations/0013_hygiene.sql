-- A visit gets a new cookie when somebody signs in or out. The old one works until the new one has come back, and for
-- requests under way a moment longer: `previous_until` (decision 091).
alter table visits add column previous_hash text unique;
alter table visits add column previous_until timestamptz;

-- A form that is over needs its password no more: the account has it, or nobody has (SEC-08).
update registrations set password_hash = null where completed_at is not null and password_hash is not null;
