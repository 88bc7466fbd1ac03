-- A call that says a code. It has a column of its own, because the release before lists the messages of `otp_id` and
-- knows no channel `voice`.
alter table messages add column called_otp_id text references otp_codes (id) on delete cascade;
create index messages_called_otp on messages (called_otp_id) where called_otp_id is not null;
alter table messages drop constraint messages_channel_check;
alter table messages add constraint messages_channel_check
  check (channel in ('email', 'sms', 'whatsapp', 'voice'));
