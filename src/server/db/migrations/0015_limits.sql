-- How often a limit whose wait doubles has been waited out.
alter table limits add column locks integer not null default 0;

-- What was counted when the code was sent; a code that is used gives it back.
alter table otp_codes add column counted jsonb not null default '[]';

-- Filled in where answers about addresses look alike: as in enumeration `strict`, by mail alone.
alter table registrations add column by_mail_only boolean not null default false;
