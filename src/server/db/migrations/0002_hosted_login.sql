-- The embedded hosted login: sessions, grants, codes and tokens of the provider (ARC-04),
-- one-time login tickets, and the signing keys that all instances share.

CREATE TABLE hosted_payloads (
  model       text        NOT NULL,
  -- A keyed hash where the id itself is a bearer secret, so that a copy of this table opens nothing.
  id          text        NOT NULL,
  payload     jsonb       NOT NULL,
  grant_id    text,
  uid         text,
  user_code   text,
  account_id  text,
  expires_at  timestamptz,
  consumed_at timestamptz,
  PRIMARY KEY (model, id)
);

CREATE INDEX hosted_payloads_grant ON hosted_payloads (grant_id) WHERE grant_id IS NOT NULL;
CREATE UNIQUE INDEX hosted_payloads_uid ON hosted_payloads (model, uid) WHERE uid IS NOT NULL;
CREATE UNIQUE INDEX hosted_payloads_user_code ON hosted_payloads (model, user_code) WHERE user_code IS NOT NULL;
CREATE INDEX hosted_payloads_account ON hosted_payloads (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX hosted_payloads_expiry ON hosted_payloads (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE hosted_tickets (
  hash       text        PRIMARY KEY,
  account_id text        NOT NULL,
  client_id  text        NOT NULL,
  co_id_hash text        NOT NULL,
  expires_at timestamptz NOT NULL
);

CREATE INDEX hosted_tickets_account ON hosted_tickets (account_id);
CREATE INDEX hosted_tickets_expiry ON hosted_tickets (expires_at);

CREATE TABLE hosted_keys (
  kid        text        PRIMARY KEY,
  alg        text        NOT NULL,
  -- Two instances that start at once both try generation 1; the constraint lets one of them win.
  generation integer     NOT NULL,
  sealed     text        NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (alg, generation)
);
