-- Proofs of work that were handed in: each counts once, on whichever instance. Without a moment of use
-- one waits for the password of its visit.
create table captcha_solutions (
  id text primary key,
  visit_id uuid not null references visits (id) on delete cascade,
  purpose text not null,
  expires_at timestamptz not null,
  spent_at timestamptz
);
create index captcha_solutions_waiting on captcha_solutions (visit_id) where spent_at is null;
