-- What clean-up looks for, and what a deleted row's cascades look for: without an index each deleted row would cost a
-- scan of every table that refers to it.
create index authorizations_sign_in on authorizations (sign_in_id);
create index authorizations_expiry on authorizations (expires_at);
create index auth_tokens_expiry on auth_tokens (expires_at);
create index otp_codes_registration on otp_codes (registration_id) where registration_id is not null;
create index otp_codes_sign_in on otp_codes (sign_in_id) where sign_in_id is not null;
create index registrations_user on registrations (user_id);
create index sign_ins_of_user on sign_ins (user_id) where user_id is not null;
create index reset_links_expiry on reset_links (expires_at);
create index reset_handles_link on reset_handles (link_id);
create index reset_handles_visit on reset_handles (visit_id);
create index activation_links_user on activation_links (user_id);
create index activation_links_visit on activation_links (visit_id) where visit_id is not null;
create index activation_links_expiry on activation_links (expires_at);
create index captcha_solutions_visit on captcha_solutions (visit_id);
create index captcha_solutions_expiry on captcha_solutions (expires_at);
create index visits_seen on visits (seen_at);
create index visits_unverified_user on visits (unverified_user_id) where unverified_user_id is not null;
create index users_pending on users (created_at) where status = 'pending';
create index known_devices_seen on known_devices (seen_at);
create index outbox_done on outbox (done_at) where done_at is not null;
create index outbox_dead on outbox (dead_at) where dead_at is not null;
create index inbox_messages_sent on inbox_messages (sent_at);
create index received_leads_received on received_leads (received_at);
create index audit_events_at on audit_events (at);
