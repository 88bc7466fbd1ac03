/** What an operator reads of `porchlight backup`, `restore` and `sessions`. */
export const backupCommand = {
  exists: '{file} is there already and stays as it is. Name another file.',
  noFolder: 'There is no folder {folder}. Make it first: mkdir -p -m 700 {folder}',
  nothing: 'There is nothing to back up: the database has no tables.',
  made: 'The backup is {file} ({bytes} bytes, SHA-256 {hash}). PORCHLIGHT_SECRET is not in it: keep that elsewhere.',
  noEvent:
    'The audit log does not tell of it, because migrations wait. porchlight migrate brings the database up to date.',

  noProgram:
    '{program} is not installed here, or not on the PATH. It comes with the client programs of PostgreSQL (Debian: postgresql-client).',
  oldProgram:
    '{program} is older than the server: {said}, and the server is PostgreSQL {serverMajor}. Install the client programs of {serverMajor} or newer.',
  programFailed: '{program} failed: {reason}',

  noFile: '{file} cannot be read: {reason}',
  unknownFile:
    '{file} is no backup: neither of pg_dump --format=custom nor of the embedded database.',
  ofPostgres:
    '{file} is a backup of PostgreSQL, and the settings name the embedded database. Set DATABASE_URL.',
  ofEmbedded:
    '{file} is a backup of the embedded database, and the settings name PostgreSQL. Take DATABASE_URL out.',
  ofOthers: '{file} is no backup of a Porchlight: it has no table of its accounts.',
  damaged: '{file} is damaged: nothing was changed. {reason}',
  notEmpty:
    'The database is not empty: nothing was changed. --replace deletes everything in it first.',
  otherSchemas:
    'The database has tables of others (schema {schema}): nothing was changed. Restore into a database of its own.',
  inUse:
    'A Porchlight is connected to the database ({count}): nothing was changed. Stop all instances first.',
  restored: 'Restored {file}. Migrations applied: {applied}.',
  otherSecret:
    'The keys in it do not open with PORCHLIGHT_SECRET: it was made under another one. Put that into PORCHLIGHT_PREVIOUS_SECRETS, and run porchlight keys reseal.',

  ended: 'Nobody is signed in any more, and no code, link or token of before works.',
  endedRow: '{table}: {count}',
} as const;
