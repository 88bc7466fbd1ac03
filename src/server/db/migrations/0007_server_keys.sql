-- One ring of keys for everything that the server signs: ID tokens, the hosted login's cookies, hand-offs. A key is
-- published (created_at) before it signs (signs_from) and verifies for a while after its successor signs (ends_at).
create table server_keys (
  kid text primary key,
  key_use text not null,
  -- Two instances that make the same key at once both try this number; the constraint lets one in.
  generation integer not null,
  sealed text not null,
  created_at timestamptz not null,
  signs_from timestamptz not null,
  ends_at timestamptz,
  unique (key_use, generation)
);

-- What the earlier keys signed lives for minutes; they are not carried over.
drop table hosted_keys;
delete from signing_keys where purpose not like 'demo-module:%';
alter table signing_keys rename to demo_module_keys;
