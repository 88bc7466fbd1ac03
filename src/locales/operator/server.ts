/** What an operator reads: start-up lines and refusals. */
export const server = {
  embedded:
    'Database: embedded PGlite in {dir}. It survives crashes of this process, not power loss; set DATABASE_URL for production.',
  external: 'Database: PostgreSQL {version}.',
  noSubtenant:
    'There is no subtenant {id}: nobody can sign up before there is. porchlight subtenant add {id} "Your organization"',
  noOperator:
    'The settings name operators of the console, and none of them can sign in yet. Whoever is invited sets a password first. Others: porchlight user invite, or user roles.',
  starting: 'Porchlight starts.',
  listening: 'Porchlight is at {url}',
  portTaken: 'Port {port} is already in use. Stop the other program, or set PORT to a free one.',
  dataLocked:
    'The data directory {dir} is in use by another Porchlight (process {pid}). Stop it first, or set PORCHLIGHT_DATA_DIR to another directory.',
  databaseDown:
    'The database {name} at {at} cannot be reached, or is too slow: {reason}. Look at DATABASE_URL, whether PostgreSQL runs there and lets this machine in, and what keeps it busy.',
  thisMachine: 'this machine',
  embeddedDown: 'The embedded database cannot be opened: {reason}',
  databaseWithoutLimit:
    'A connection pooler is in front of the database and hands on no statement_timeout, and the role has none. As an administrator: ALTER ROLE {role} SET statement_timeout = {ms}',
  restoreUnfinished:
    'A restore of this database was not finished: people who were signed in on the day of the backup might get in. Run porchlight restore FILE --replace.',
  notBuilt: 'The portal has not been built: there is nothing in {directory}. Run npm run build.',
  databaseMigrating: 'The database could not be brought up to date: {reason}',
  migrationsWait:
    'The database is of an earlier release. Migrations that wait: {count}, from {first} on. Make a backup, then run porchlight migrate.',
  databaseTooOld:
    'The database is of a development version that cannot be upgraded from here. Start with an empty one, or read "Skip releases" in docs/operations/upgrade.md.',
  noDatabase:
    'No settings name a database, and {dir} holds none. Add --settings FILE, or start a demo there with npm start.',
  secretChanged:
    'The stored keys do not open with PORCHLIGHT_SECRET. If it was changed, put the old one into PORCHLIGHT_PREVIOUS_SECRETS.',
  keyMixedUp:
    'The stored key {kid} is not what it says it is. The table server_keys was changed by hand.',
  outboxHeader: ['id', 'kind', 'key', 'created', 'given up', 'attempts', 'reason'],
  outboxEmpty: 'No dead letters.',
  outboxRetried: '{count} will be sent again.',
  leadsStay:
    'CRM_URL is not set: leads are kept in the table received_leads for {days} days, and nobody is sent them.',
  badEnvironment: 'Porchlight cannot start. Please mend these settings:',
  logoType: '{name} is no logo: it has to be an SVG, a PNG or a JPEG.',
  logoFaults: {
    broken: '{name} cannot be read as the picture that its name says.',
    code: '{name} has code in it: a script, a handler or parts of a web page. In Inkscape: File, Save As, Plain SVG; in Illustrator: File, Export As, SVG.',
    entity:
      '{name} declares entities, as Illustrator does to edit its file again. In Illustrator: File, Export As, SVG; or Save As without "Preserve Illustrator Editing Capabilities".',
    illustrator:
      '{name} has a part of another kind (foreignObject), as Illustrator adds to edit its file again. In Illustrator: File, Export As, SVG. Elsewhere turn such text into paths.',
    link: '{name} has a link around a part of the drawing. Take it off; in Inkscape: Object, Links, Remove.',
    font: '{name} has a font in it. Turn its text into paths: in Illustrator Type, Create Outlines; in Inkscape Path, Object to Path.',
    elsewhere:
      '{name} fetches something from elsewhere, such as a picture, a style or a file beside it. Embed pictures as PNG or JPEG, and save it as a plain SVG.',
    heavy:
      '{name} draws parts of itself too often, or within themselves. Export it again as a plain SVG.',
    cut: '{name} is cut off: the data of its picture is not all there. Export it again.',
    giant:
      '{name} has {width} by {height} pixels. A logo may have {side} a side and {pixels} in all: export it smaller, such as 440 by 96.',
  },
  largeLogo: '{path} is larger than a megabyte. Make the picture smaller.',
  surveyWritten: '{file}: {count} answers.',
  promoSaved: '{code} is saved.',
  promoBelowUse: '{code} was used more often than that already. Nothing was changed.',
  promoAlready: '{code} is there already, with this end and this cap. Nothing was changed.',
  promoTaken:
    '{code} is there already, with another end or cap: porchlight promo list. To change it: porchlight promo set {code}',
  promoUnknown: 'There is no code {code}: porchlight promo add {code}',
  promoNothing: 'Nothing was changed: name --until or --uses.',
  promoNoCode: 'A code has 4 to 32 letters, digits and hyphens.',
  promoBadCode: '{code} is no code: a code has 4 to 32 letters, digits and hyphens.',
  promoBadUses: 'The number of uses is a whole number from 1.',
  promoBadDay: 'The end is a day such as 2027-01-31.',
  promoHeader: ['code', 'valid until', 'most uses', 'used'],
  promoNever: 'no end',
  promoAnyNumber: 'any number',
} as const;
