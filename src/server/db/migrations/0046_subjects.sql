-- A code and a challenge name the one thing that they prove (decision 242). A row of the previous release has none.
alter table otp_codes add column subject text;
alter table key_challenges add column subject text;
