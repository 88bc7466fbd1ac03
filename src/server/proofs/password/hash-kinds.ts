/* The names of password hashes, also of those that cannot be checked here. */

/** The first that fits. No name repeats anything of the hash but its scheme. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^\$argon2/, 'argon2'],
  [/^(?:bcrypt(?:_sha256)?\$\$|\$wp\$)?\$?2[abxy]\$/, 'bcrypt'],
  [/^\$pbkdf2/, 'PBKDF2'],
  [/^\$scrypt\$/, 'scrypt'],
  [/^\$[PH]\$/, 'phpass ($P$, $H$: WordPress, phpBB)'],
  [/^U?\$S\$/, 'Drupal ($S$)'],
  [/^\$1\$|^\$apr1\$/, 'md5-crypt ($1$, $apr1$)'],
  [/^\$5\$/, 'sha256-crypt ($5$)'],
  [/^\$6\$/, 'sha512-crypt ($6$)'],
  [/^\$(?:y|gy|7)\$/, 'yescrypt ($y$)'],
  [/^\$sha1\$/, 'sha1-crypt ($sha1$)'],
  [/^\{PKCS5S2\}/i, 'Atlassian ({PKCS5S2})'],
  [/^\{(?:noop|bcrypt|pbkdf2|scrypt|argon2|ldap|sha256)(?:@[\w.]+)?\}/, 'Spring Security ({…})'],
  [/^\{S?SHA(?:-?\d+)?\}/i, 'LDAP ({SHA}, {SSHA}, {SSHA512})'],
  [/^\{S?MD5\}/i, 'LDAP ({MD5}, {SMD5})'],
  [/^\{[\w.-]{1,20}\}/, 'LDAP ({…})'],
  [/^pbkdf2_sha\d+\$/, 'Django (pbkdf2_…)'],
  [/^(?:argon2|scrypt|bcrypt)\w*\$/, 'Django (argon2, bcrypt or scrypt)'],
  [/^(?:unsalted_)?(?:md5|sha1|crypt)\$/, 'Django (md5, sha1 or crypt)'],
  [/^(?:pbkdf2|scrypt|sha\d+|md5)(?::[\w:]+)?\$/, 'Werkzeug (Flask)'],
  [/^sha\d+:\d+:/i, 'PBKDF2 (digest:rounds:…)'],
  [/^pbkdf2/i, 'PBKDF2 in a form of its own'],
  [/^!/, 'a mark that says that there is no password (!)'],
  [/^\*[\dA-F]{40}$/i, 'MySQL'],
  [/^0x0[12]00/i, 'SQL Server'],
  [/^md5[\da-f]{32}$|^SCRAM-SHA/i, 'PostgreSQL'],
  [/^[\da-f]{32}$/i, 'MD5 or NTLM (32 digits)'],
  [/^[\da-f]{40}$/i, 'SHA-1 (40 digits)'],
  [/^[\da-f]{64}$/i, 'SHA-256 (64 digits)'],
  [/^[\da-f]{96}$/i, 'SHA-384 (96 digits)'],
  [/^[\da-f]{128}$/i, 'SHA-512 (128 digits)'],
  [/^[\da-f]{32,128}:/i, 'a digest and its salt (hash:salt)'],
  [/^[./\dA-Z]{13}$/i, 'DES-crypt (13 characters)'],
  [/^A[A-Z\d+/]{40,}={0,2}$/i, 'ASP.NET Identity'],
];

/** Returns the name of a hash's kind. */
export const hashKind = (text: string): string =>
  KINDS.find(([form]) => form.test(text))?.[1] ?? 'not recognized';
