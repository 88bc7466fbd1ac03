-- The session that began to set up an app: its key is shown, and confirmed, there alone (PRF-24).
alter table app_codes add column sign_in_id text;
