-- A person of a real Auth0 tenant: whose password lives there and nowhere else (ARC-05).
ALTER TABLE users
  ADD COLUMN hosted_user_id text UNIQUE,
  -- The tenant's job that makes the user, while it runs.
  ADD COLUMN hosted_job_id text;

-- Which session of the tenant a sign-in belongs to. The embedded hosted login makes its session after the code: none here.
ALTER TABLE sign_ins
  ADD COLUMN hosted_sub text,
  ADD COLUMN hosted_sid text,
  ADD COLUMN hosted_auth_time bigint;
