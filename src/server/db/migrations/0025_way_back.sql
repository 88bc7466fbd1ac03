-- The application that somebody came from who asked for a new password, and where a program's ticket leads back to.
-- Empty: nobody's, and links of the release before (decision 127).
alter table reset_links
  add column client_id text,
  add column request_id text,
  add column result_url text,
  -- Not where a program passes the link on in a way of its own.
  add column proves_mail boolean not null default true;
alter table client_requests add column result_url text;
