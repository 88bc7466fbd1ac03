-- How the ticket's holder proved who they are: a password, or a code of a passwordless sign-in.
ALTER TABLE hosted_tickets ADD COLUMN amr text NOT NULL DEFAULT 'pwd';

-- A sign-in by calls alone that waits for its code: after a password (mfa_token), or passwordless.
CREATE TABLE hosted_challenges (
  -- A keyed hash of the mfa_token, or of client and address.
  hash       text        PRIMARY KEY,
  client_id  text        NOT NULL,
  -- Null for an address that nobody has: the answer must not tell.
  account_id text,
  -- What the server knows the sent code by; null before a code is sent.
  handle     text,
  -- Scope and audience that were asked for.
  details    jsonb       NOT NULL,
  expires_at timestamptz NOT NULL
);

CREATE INDEX hosted_challenges_account ON hosted_challenges (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX hosted_challenges_expiry ON hosted_challenges (expires_at);
