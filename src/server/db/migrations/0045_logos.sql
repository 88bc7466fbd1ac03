-- Logos that operators send by the console: every instance has them, and a backup too. A name holds a digest of the file.
create table logos (
  file text primary key,
  content text not null,
  added_at timestamptz not null
);
