-- Other applications that sign people in here, their open requests, and what people have agreed to share.

-- Clients that were added by the command; those of the settings file are not stored.
CREATE TABLE clients (
  id         text        PRIMARY KEY,
  -- As the file spells it. A secret is in it as its hash alone.
  definition jsonb       NOT NULL,
  changed_at timestamptz NOT NULL
);

-- One authorization request that waits for a person, bound to the browser it came with.
CREATE TABLE client_requests (
  id             text        PRIMARY KEY,
  visit_id       uuid        NOT NULL REFERENCES visits (id) ON DELETE CASCADE,
  -- The hosted login's own id of it, sealed: a copy of this table resumes nothing.
  interaction    text        NOT NULL,
  client_id      text        NOT NULL,
  step           text        NOT NULL,
  -- A session that lives already is not enough (prompt=login, max_age).
  is_fresh       boolean     NOT NULL,
  scopes         text[]      NOT NULL,
  login_hint     text,
  subtenant_id   integer,
  created_at     timestamptz NOT NULL,
  expires_at     timestamptz NOT NULL,
  ended_at       timestamptz
);

CREATE INDEX client_requests_visit ON client_requests (visit_id);
CREATE INDEX client_requests_expiry ON client_requests (expires_at);

CREATE TABLE consents (
  user_id    bigint      NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  client_id  text        NOT NULL,
  scopes     text[]      NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, client_id)
);
