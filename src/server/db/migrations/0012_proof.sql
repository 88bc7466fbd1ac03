-- What a person has shown to read, and since when. The claims email_verified and phone_number_verified say this alone.
alter table users add column email_proven_at timestamptz;
alter table users add column phone_proven_at timestamptz;
-- The mail was proven by somebody who did not show to know the password: until then no code goes to the typed phone.
alter table users add column mail_codes_only boolean not null default false;
alter table users add column first_signed_in_at timestamptz;
-- Nothing stored tells by which channel an account of before was proven. It keeps what was said of it until now
-- (decision 071).
update users set email_proven_at = activated_at, first_signed_in_at = activated_at where activated_at is not null;

-- The mail and the text of one step carry different digits: code_hmac is the mail's. Null: a row of the release before,
-- whose digits say nothing about the channel.
alter table otp_codes add column phone_code_hmac text;
alter table otp_codes add column proven text check (proven in ('email', 'phone'));

-- Survey answers belong to their form until the code was right, then to the account.
alter table survey_answers alter column user_id drop not null;
alter table survey_answers add column registration_id text references registrations (id) on delete cascade;
alter table survey_answers add constraint survey_answers_owner check ((user_id is null) <> (registration_id is null));
alter table survey_answers add constraint survey_answers_form unique (registration_id, subject_id, response_id);
