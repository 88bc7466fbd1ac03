-- Forms that a browser sent without script, for as long as a double click may send them once more, maybe to another
-- instance. Neither what was typed nor the answer can be read: the form itself is the key to it (decision 124).
create table answered_forms (
  id text primary key,
  expires_at timestamptz not null,
  -- Empty while it is run.
  answer text
);
create index answered_forms_expiry on answered_forms (expires_at);
