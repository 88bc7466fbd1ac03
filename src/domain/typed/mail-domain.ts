/** Finds typing errors in the domain of an email address. It only suggests: the code proves that an address exists. */

/** The common domains; only these are suggested. */
const COMMON = [
  'gmail.com',
  'yahoo.com',
  'hotmail.com',
  'outlook.com',
  'icloud.com',
  'comcast.net',
  'verizon.net',
  'bellsouth.net',
  'sbcglobal.net',
  'earthlink.net',
  'charter.net',
  'optonline.net',
  'protonmail.com',
  'googlemail.com',
] as const;

/** Real domains similar to a common one: never questioned. */
const REAL: ReadonlySet<string> = new Set([
  ...COMMON,
  ...'mail.com email.com ymail.com rocketmail.com gmx.com gmx.net gmx.de fastmail.com hmail.com cloud.com'.split(
    ' ',
  ),
  ...'gmail.de yahoo.co aol.com aol.net aim.com live.com msn.com me.com mac.com att.net cox.net juno.com'.split(
    ' ',
  ),
  ...'comcast.com verizon.com charter.com earthlink.com bellsouth.com optimum.net proton.me pm.me'.split(
    ' ',
  ),
]);

/** Returns whether anybody can have an address at this domain. */
export const isCommonDomain = (domain: string): boolean => REAL.has(domain);

/** Endings that do not exist, with the likely correct one. */
const ENDINGS: Readonly<Record<string, string>> = {
  con: 'com',
  cmo: 'com',
  ocm: 'com',
  comm: 'com',
  coom: 'com',
  cpm: 'com',
  vom: 'com',
  xom: 'com',
  cim: 'com',
  ccom: 'com',
  nte: 'net',
  ner: 'net',
  nett: 'net',
  ogr: 'org',
  orgg: 'org',
  rog: 'org',
};

/** Country endings that, after a common name, are more often a `.com` cut short. */
const HALF_COM: readonly string[] = ['co', 'cm', 'om'];

/** Length from which two letters may differ: short names are too similar for that. */
const LONG_NAME = 10;
const MAX_LENGTH = 254;

/** Returns the address that was probably meant, or `null` without a probable typing error. */
export function meantEmail(typed: string): string | null {
  const email = typed.trim();
  const at = email.lastIndexOf('@');
  if (at < 1 || email.length > MAX_LENGTH) return null;
  const domain = email.slice(at + 1).toLowerCase();
  const meant = meantDomain(domain);
  return meant === null || meant === domain ? null : `${email.slice(0, at)}@${meant}`;
}

function meantDomain(domain: string): string | null {
  if (REAL.has(domain) || !/^[a-z\d.-]+$/.test(domain)) return null;
  const dot = domain.lastIndexOf('.');
  const written = domain.slice(dot + 1);
  // A country's own domain (hotmail.ch) is not an error for the common one.
  if (dot < 1 || (written.length === 2 && !HALF_COM.includes(written))) return null;
  const ending = ENDINGS[written];
  const mended = ending ? `${domain.slice(0, dot)}.${ending}` : domain;
  if (REAL.has(mended)) return mended;
  return nearest(mended) ?? (ending ? mended : null);
}

/** Returns the one common domain that is close enough; none if two are. */
function nearest(domain: string): string | null {
  const scored = COMMON.map((common) => ({ common, off: distance(domain, common) })).sort(
    (a, b) => a.off - b.off,
  );
  const [first, second] = scored;
  if (!first || first.off > (first.common.length >= LONG_NAME ? 2 : 1)) return null;
  if (second && second.off === first.off) return null;
  // Two letters differ, the first among them: another name.
  return first.off === 2 && domain[0] !== first.common[0] ? null : first.common;
}

/**
 * Returns the letters to add, drop, change, or swap with their neighbour (Damerau and Levenshtein, optimal string
 * alignment).
 */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped =
        i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : 3,
      );
    }
    before = last;
    last = row;
  }
  return last[other.length] ?? 3;
}
