/** What an operator reads: start-up lines and refusals. */
export const server = {
  embedded:
    'Database: embedded PGlite in {dir}. It survives crashes of this process, not power loss; set DATABASE_URL for production.',
  external: 'Database: PostgreSQL {version}.',
  listening: 'Porchlight is at {url}',
  portTaken: 'Port {port} is already in use. Stop the other program, or set PORT to a free one.',
  dataLocked:
    'The data directory {dir} is in use by another Porchlight (process {pid}). Stop it first, or set PORCHLIGHT_DATA_DIR to another directory.',
  databaseDown: 'The database cannot be reached: {reason}',
  databaseMigrating: 'The database could not be brought up to date: {reason}',
  secretChanged:
    'The stored keys do not open with PORCHLIGHT_SECRET. If it was changed, put the old one into PORCHLIGHT_PREVIOUS_SECRETS.',
  keyMixedUp:
    'The stored key {kid} is not what it says it is. The table server_keys was changed by hand.',
  outboxUsage:
    'Usage: npm run outbox -- list, or npm run outbox -- retry <id>, or npm run outbox -- retry all',
  outboxEmpty: 'No dead letters.',
  outboxRetried: '{count} will be sent again.',
  badEnvironment: 'Porchlight cannot start. Please mend these settings:',
  surveyUsage: 'Usage: npm run survey -- export [--out FILE]',
  promoUsage:
    'Usage:\nnpm run promo -- list\nnpm run promo -- add CODE [--until YYYY-MM-DD] [--uses NUMBER]',
  cliUsage: 'Usage: npm run check-tenant, client, keys, outbox, promo or survey',
  surveyWritten: '{file}: {count} answers.',
  promoSaved: '{code} is saved.',
  promoBelowUse: '{code} was used more often than that already. Nothing was changed.',
  promoHeader: 'code, valid until, most uses, used',
  promoNever: 'no end',
  promoAnyNumber: 'any number',
} as const;
