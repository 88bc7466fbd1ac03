import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { otp } from './en/otp.ts';
import { redirect } from './en/redirect.ts';
import { signIn } from './en/sign-in.ts';
import { signUp } from './en/sign-up.ts';
import * as es from './es/index.ts';
import { fill } from './fill.ts';

const SRC = new URL('../', import.meta.url);

type Branch = { readonly [key: string]: string | Branch };

/** Every group of texts, by the name that it is imported by. */
const GROUPS: Readonly<Record<string, Branch>> = Object.assign(
  {},
  ...(await Promise.all(
    ['en', 'operator'].flatMap((folder) =>
      readdirSync(new URL(`./${folder}/`, import.meta.url)).map(
        (file) =>
          // The bundler wants folder and ending in the pattern itself.
          (folder === 'en'
            ? import(`./en/${file.replace(/\.ts$/, '')}.ts`)
            : import(`./operator/${file.replace(/\.ts$/, '')}.ts`)) as Promise<
            Record<string, Branch>
          >,
      ),
    ),
  )),
) as Record<string, Branch>;

/** "shell.banner.title" and its text, for every text there is. */
const TEXTS: ReadonlyMap<string, string> = new Map(
  Object.entries(GROUPS).flatMap(([name, group]) => leaves(name, group)),
);

function leaves(path: string, value: string | Branch): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(`${path}.${key}`, inner));
}

type Source = { readonly path: string; readonly text: string };

/** All that ships, without the catalogue itself; comments name no key and show no text. */
const SOURCES: readonly Source[] = readdirSync(SRC, { recursive: true })
  .map(String)
  .filter(
    (path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|^locales\/(?!counts)|\/testing\//.test(path),
  )
  .map((path) => ({ path, text: withoutComments(readFileSync(new URL(path, SRC), 'utf8')) }));

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/(^|\s)\/\/.*$/gm, '$1');
}

describe('specified texts, to the letter', () => {
  const ALL = new Set(TEXTS.values());

  // Section 2: screens.
  // prettier-ignore
  test.each([
    ['[SUP-02]', 'Sign up'],
    ['[SUP-02]', 'Start your 30-day free trial.'],
    ['[SUP-03]', 'First Name'],
    ['[SUP-03]', 'Last Name'],
    ['[SUP-03]', 'Phone Number'],
    ['[SUP-03]', 'Email'],
    ['[SUP-03]', 'Password'],
    ['[SUP-03]', 'Confirm Password'],
    ['[SUP-03]', 'How did you hear about us?'],
    ['[SUP-04]', 'Sign Up'],
    ['[SUP-08]', 'Other'],
    ['[GEN-07]', 'Powered By'],
    ['[SIN-01]', 'Login'],
    ['[SIN-01]', 'Staff Payment Login'],
    ['[SIN-02]', 'Forgot Password?'],
    ['[SIN-04]', 'Session Timeout'],
    ['[SIN-04]', 'You have been logged out due to inactivity.'],
    ['[SIN-04]', 'Ok, thanks'],
    ['[PWD-05]', 'Set new password'],
    ['[PWD-05]', 'Set Password'],
    ['[PWD-01]', 'Reset password'],
    ['[PWD-01]', 'Check your email'],
    ['[PWD-02]', 'create a new account'],
    ['[PWD-02]', 'Verify here.'],
    ['[OTP-01]', 'Verify OTP'],
    ['[OTP-01]', 'Click to resend'],
    ['[OTP-02]', 'Back to Sign In'],
    ['[SCR-01]', 'Sign In'],
    ['[SCR-01]', 'Logged Out Successfully!'],
    ['[SCR-02]', 'Email verified'],
    ['[SCR-02]', 'back to sign up'],
    ['[SCR-03]', 'Oops... Something went wrong !!!'],
    ['[RED-01]', 'Checking for Secured connection'],
    ['[RED-01]', 'Validate User ID'],
    ['[RED-01]', 'Checking if any Multi-Role'],
    ['[RED-01]', 'Validated successfully Signing-in'],
    ['[RED-02]', 'You are not staff; try using the button below.'],
    ['[RED-02]', 'Go to the Universal Login'],
    ['[ROL-01]', 'Accounts switcher'],
    ['[ROL-02]', 'Sign-In On App'],
    ['[ROL-03]', 'Please select a role'],
    ['[ACT-02]', 'This link is invalid'],
    ['[ACT-02]', 'This link is expired'],
    ['[PWD-09]', 'Password reset'],
    ['[PWD-09]', 'Set password'],
    ['[PWD-09]', 'Back to login'],
    ['[PWD-06]', 'Invalid Link'],
    ['[GEN-09]', 'Great News - Experience Our New User Interface'],
  ])('%s %s', (_id, text) => {
    expect(ALL).toContain(text);
  });

  // Sections 5 and 8: messages, misspellings included.
  // prettier-ignore
  test.each([
    ['[SUP-22]', 'First name is required'],
    ['[SUP-22]', 'Please enter valid First Name Allowed'],
    ['[SUP-22]', 'Last name is required'],
    ['[SUP-22]', 'Please enter valid Last Name Allowed'],
    ['[SUP-22]', 'Please enter the Phone Number'],
    ['[SUP-22]', 'Enter the valid Phone Nummber'],
    ['[SUP-22]', 'Please enter email address'],
    ['[SUP-22]', 'Please enter a valid email address'],
    ['[SUP-22]', 'This email is already associated with other account or partner'],
    ['[SUP-22]', 'Please enter password'],
    ['[SUP-22]', 'Your password does not meet our security criteria'],
    ['[SUP-22]', 'Please enter confirm password'],
    ['[SUP-22]', 'Your password does not match'],
    ['[OTP-05]', 'Please enter OTP'],
    ['[OTP-05]', 'Please enter a valid OTP'],
    ['[SUP-13]', 'Please fill out all required fields as highlighted.'],
    ['[SUP-21]', 'Something went wrong. Try again later.'],
    ['[SIN-07]', 'The username or password you entered is incorrect. Please try again.'],
    ['[OTP-05]', 'Invalid Otp.'],
    ['[OTP-07]', 'OTP Expired'],
    ['[PWD-02]', 'No account found with this email address.'],
    ['[PWD-02]', 'Please verify your email address to continue.'],
    ['[PWD-08]', 'User does not exist.'],
    ['[PWD-08]', 'Unauthorized to change password.'],
    ['[PWD-08]', 'Invalid change password request'],
    ['[PWD-08]', 'Unable to procees your request, Please try later.'],
    ['[PWD-07]', 'Your new password must be different from Old password'],
    ['[ACT-02]', 'The link you are trying to access is invalid or no longer available'],
    ['[ACT-02]', 'The link you are trying to access has expired or is no longer available'],
    ['[OTP-06]', 'OTP has been sent to your email address and phone number.'],
    ['[PWD-02]', 'A reset password link has been sent to your registered email address. Click the link to create a new password.'],
    ['[PWD-09]', 'Your password has been changed successfully'],
    ['[PWD-09]', 'Your password has been created successfully'],
    ['[SCR-02]', 'Congratulations! your account has been created successfully'],
    ['[SCR-02]', 'Congratulations! your account is activated successfully'],
    ['[API-02]', 'Something went wrong'],
  ])('%s %s', (_id, text) => {
    expect(ALL).toContain(text);
  });

  it('[SUP-04] [SIN-02] a sentence and its link make the specified sentence', () => {
    expect(`${signUp.haveAccount} ${signUp.logIn}`).toBe('Already have an account? Log in');
    expect(`${signIn.noAccount} Sign Up`).toBe("Don't have an account? Sign Up");
  });

  it('[OTP-02] [V15] the way back names where it leads: Sign In or Sign Up', () => {
    expect([otp.backToSignIn, otp.backToSignUp]).toEqual(['Back to Sign In', 'Back to Sign Up']);
  });

  it('[RED-01] the progress texts stand in the specified order', () => {
    expect(redirect.steps).toEqual([
      'Checking for Secured connection',
      'Validate User ID',
      'Validate login session',
      'Checking if any Multi-Role',
      'Validated successfully Signing-in',
    ]);
  });

  it('[OTP-09] [SCR-02] the old-password message says that the old password still signs in', () => {
    expect(
      [...ALL].find((text) => /sign in with (?:the|your) old password/.test(text)),
    ).toBeDefined();
  });
});

/** Branches that are looked up by a key, and whose keys nothing names. */
const SHOWN_WHOLE = [
  'subtenantsDesk.givenColors',
  'devicesDesk.list',
  'auditDesk.list',
  'modulesDesk.list',
  'surveyDesk.list',
  'clientsDesk.list',
  'keysDesk.list',
  'leadsDesk.list',
  'limitsDesk.list',
  'promoCodesDesk.list',
  'subtenantsDesk.list',
  'clientsDesk.methods',
  'subtenantsDesk.uses',
  'signInsDesk.notes',
  'signInsDesk.periodHint',
  'auditDesk.events',
  // One of three, by how many there are.
  'homeDesk.cameBack',
  'homeDesk.pageCodes',
  'homeDesk.signIns',
  'messagesDesk.failed',
  'messagesDesk.waiting',
  'messagesDesk.undelivered',
  'demoModules.modules',
  'gardenClub.news',
  'accountData.tables',
  'accountData.fields',
  'accountData.contacts',
  'helperMails',
  'verbs',
  'settings',
  'settingSections',
  'moduleChecks',
  'units',
  'widgets.country.found',
  'myAccount.andOthers',
  'appCodes.left',
  'myKeys.rowSome',
  'keyMakers',
  'accountChanges',
];

type Use = {
  readonly path: string;
  readonly key: string;
  readonly before: string;
  readonly after: string;
};

/** Groups that a function takes from the texts of a language: `const { mails } = textsIn(language)`. */
const TAKEN =
  /\{ ([\w:, ]+) \}(?:: (?:Texts|Words)\b| = (?:t|words|texts|(?:await )?texts(?:In|Of|For)\([^;]*\));)/g;

/** A group that a template of a mail gets beside all texts: `(t, to, mails)`. */
const HANDED = /\(t, to, \w+\)/g;

/** A group that is loaded when it is needed. */
const LATE = /\(await import\('#texts\/[\w-]+\.ts'\)\)\.(\w+)/g;

/** Every `group.key` in a source, by whatever name the group was imported. */
function usesIn({ path, text }: Source): readonly Use[] {
  const imports = [
    ...text.matchAll(/import \{([^}]*)\} from '#(?:texts|locales\/operator)\/[\w-]+\.ts'/g),
  ];
  const taken = path.startsWith('portal/') ? [] : [...text.matchAll(TAKEN)];
  const pairs = [...imports, ...taken, ...text.matchAll(LATE)].flatMap(([, list = '']) =>
    list
      .split(',')
      .map((each) => each.trim().split(/ as |: /))
      .filter(([name]) => name && name in GROUPS),
  );
  const names = new Map(
    pairs.map(([name = '', alias = name]) => [`${name} ${alias}`, [name, alias]]),
  );
  const body = text
    .replace(/import [^(;]*;/g, '')
    .replace(TAKEN, '')
    .replace(HANDED, '')
    .replace(LATE, '$1');
  return [...names.values()].flatMap(([name = '', alias = name]) =>
    [
      ...body.matchAll(
        new RegExp(`(?<![\\w.'-])${alias}((?:\\??\\.\\w+)*)(?![\\w'-])(?!\\??:)`, 'g'),
      ),
    ].map((match) => ({
      path,
      key: keyAt(`${name}${match[1]?.replaceAll('?', '')}`),
      before: body.slice(Math.max(0, match.index - 300), match.index),
      after: body.slice(match.index + match[0].length, match.index + match[0].length + 160),
    })),
  );
}

/** A chain as far as it is in the catalogue; what follows a text or a list may be a method of it. */
function keyAt(chain: string): string {
  const [name = '', ...rest] = chain.split('.');
  let value: string | Branch | undefined = GROUPS[name];
  let key = name;
  for (const part of rest) {
    const isList = Array.isArray(value);
    if (typeof value === 'string' || (isList && !/^\d+$/.test(part))) return key;
    if (value === undefined || !Object.hasOwn(value, part)) return `${key}.${part}`;
    value = value[part];
    key = `${key}.${part}`;
  }
  return key;
}

const USES = SOURCES.flatMap(usesIn);
const isBranch = (key: string) => [...TEXTS.keys()].some((each) => each.startsWith(`${key}.`));
/** The list that an entry belongs to; a list is used whole. */
const listOf = (key: string) => /^(.*)\.\d+$/.exec(key)?.[1];
const LISTS = new Set([...TEXTS.keys()].flatMap((key) => listOf(key) ?? []));
const isUnder = (key: string, branch: string) => key.startsWith(`${branch}.`);
/** Groups that are put together in one object: keys of errors come from a table. */
const SPREAD = SOURCES.flatMap(({ text }) =>
  [...text.matchAll(/\{ ((?:\.\.\.\w+,? ?)+) \}/g)].flatMap(
    ([, names = '']) => names.match(/\w+/g) ?? [],
  ),
).filter((name) => name in GROUPS);
/** Branches that the code takes whole, and so looks up by a key. */
const LOOKED_UP = [
  ...USES.map(({ key }) => key).filter((key) => isBranch(key) && !LISTS.has(key)),
  ...SPREAD,
];

describe('keys', () => {
  it('every key in the code is in the catalogue', () => {
    // English has no names of roles: `ROLES` has them.
    const missing = USES.filter(
      ({ key }) => key !== 'roleNames' && !TEXTS.has(key) && !isBranch(key),
    );
    expect(missing.map(({ path, key }) => `${path}: ${key}`)).toEqual([]);
    expect(USES.length).toBeGreaterThan(100);
  });

  it('every text is used', () => {
    const named = new Set(USES.map(({ key }) => key));
    const all = SOURCES.map(({ text }) => text).join('\n');
    const isLookedUp = (key: string) => {
      if (SHOWN_WHOLE.some((branch) => isUnder(key, branch))) return true;
      const last = key.split('.').at(-1)?.replace(/Mend$/, '') ?? '';
      const isListed = LOOKED_UP.some((branch) => isUnder(key, branch));
      // A word of the code, or the key of a row, as a verb of the console is.
      const isNamed = new RegExp(`['.]${last}\\b|\\b${last}: \\{`).test(all);
      return isListed && (/^\d+$/.test(last) || isNamed);
    };
    const unused = [...TEXTS.keys()].filter(
      (key) => !named.has(key) && !named.has(listOf(key) ?? '') && !isLookedUp(key),
    );
    expect(unused).toEqual([]);
  });

  it('[PWD-08] [SUP-22] every error has a text', () => {
    const table = SOURCES.find(({ path }) => path === 'contract/errors.ts')?.text ?? '';
    const keys = [...table.matchAll(/message: '(\w+)'/g)].map(([, key]) => key);
    const groups = ['fields', 'problems', 'passwords', 'refusals'];
    expect(keys.length).toBeGreaterThan(20);
    expect(keys.filter((key) => !groups.some((group) => TEXTS.get(`${group}.${key}`)))).toEqual([]);
  });
});

const placeholdersOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

/** Texts that are chosen in one place and filled in another, as all findings of the doctor are. */
const FILLED_LATER = [
  'clientCommand.added',
  'clientCommand.changed',
  'clientCommand.removed',
  'clientCommand.removedAlready',
  'hours.opensToday',
  'hours.opensTomorrow',
  'leadsCommand.purged',
  'leadsCommand.resent',
  'mails.codeRole',
  'mails.codeSignIn',
  'mails.codeSignUp',
  'mails.codeStepUp',
  'messagesDesk.away',
  'messagesDesk.awayNow',
  'messagesDesk.awaySince',
  'messagesDesk.slow',
  'server.promoAlready',
  'server.promoSaved',
  'staffChange.byPhone',
  'userCommand.added',
  'userCommand.invited',
];

/** Whether the innermost call that is still open at the end of a source is `fill`, `fillNodes` or `fillHtml`. */
function isArgumentOfFill(before: string): boolean {
  let open = 0;
  for (let at = before.length - 1; at >= 0 && open < 1; at -= 1) {
    if (before[at] === ')') open -= 1;
    if (before[at] === '(') open += 1;
    if (open === 1) return /\bfill(?:Nodes|Html)?$/.test(before.slice(0, at));
  }
  return false;
}

describe('placeholders', () => {
  const FILLED = USES.filter(({ key }) => placeholdersOf(TEXTS.get(key) ?? '').length > 0);

  it('are filled wherever the text is used', () => {
    const bare = FILLED.filter(
      ({ key, before }) => !isArgumentOfFill(before) && !key.startsWith('doctorCommand.'),
    ).map(({ key }) => key);
    expect([...new Set(bare)].sort()).toEqual(FILLED_LATER);
  });

  it('all get a value, where the values stand beside the text', () => {
    const beside = FILLED.map((use) => [use, /^,\s*\{([^}]*)\}/.exec(use.after)?.[1]] as const);
    const unfilled = beside.flatMap(([{ path, key }, values]) => {
      // A whole row is told field by field by its type.
      if (values === undefined || values.includes('...')) return [];
      const given = values.split(',').map((value) => value.split(':')[0]?.trim());
      const missing = placeholdersOf(TEXTS.get(key) ?? '').filter((name) => !given.includes(name));
      return missing.map((name) => `${path}: ${key} {${name}}`);
    });
    expect(unfilled).toEqual([]);
    expect(beside.filter(([, values]) => values !== undefined).length).toBeGreaterThan(15);
  });

  it('of texts that are looked up are the few that the look-up fills', () => {
    const names = [...TEXTS]
      .filter(([key]) => /^(?:fields|problems|refusals)\./.test(key))
      .flatMap(([, text]) => placeholdersOf(text));
    expect(new Set(names)).toEqual(new Set(['minutes', 'reference']));
  });

  it('are words in braces and nothing else', () => {
    // What a verb prints for programs is a shape, and no text to fill.
    const texts = [...TEXTS].filter(([key]) => !/^verbs\.[\w-]+\.json$/.test(key));
    const odd = texts.filter(([, text]) => /[{}]/.test(text.replace(/\{[a-z]+\}/gi, '')));
    expect(odd).toEqual([]);
  });
});

test('[D27] no subject has a name: a stranger may have typed it', async () => {
  for (const language of ['en', 'es']) {
    for (const file of ['account-mails', 'helper-mails', 'mails']) {
      const texts = readFileSync(new URL(`${language}/${file}.ts`, import.meta.url), 'utf8');
      const subjects = [...texts.matchAll(/[sS]ubject:\s*'([^']*)'/g)].map(([, text = '']) => text);
      expect(subjects.length).toBeGreaterThan(4);
      expect(subjects.filter((text) => /\{(?:member|helper|name|firstName)\}/.test(text))).toEqual(
        [],
      );
    }
  }
});

describe('fill', () => {
  it('puts values in, each as often as it is named, and numbers as they are', () => {
    expect(fill('{n} of {total}, {n}', { n: 1, total: 3 })).toBe('1 of 3, 1');
    expect(fill('Nothing to fill', {})).toBe('Nothing to fill');
  });

  it('never lets a half-filled text through', () => {
    expect(() => fill('Hello {name}', {})).toThrow('{name}');
  });

  it('takes a value as it is: no placeholder and no pattern in it counts', () => {
    expect(fill('Hello {name}', { name: '{help} $& $1' })).toBe('Hello {help} $& $1');
  });
});

describe('nothing that people read stands outside the catalogue', () => {
  const SCREENS = SOURCES.filter(({ path }) => path.startsWith('portal/') && path.endsWith('.tsx'));

  it('no text between tags', () => {
    const found = SCREENS.flatMap(({ path, text }) =>
      [
        ...text.matchAll(
          /(?:<\/?[\w.]+(?:\s[^<>]*?)?>|\})\s*([^<>{}=;()&|?:[\]]*[a-z]{2}[^<>{}=;()&|?:[\]]*)(?=<|\{)/gi,
        ),
      ]
        .filter(([whole]) => whole.includes('<'))
        .map(([, words]) => `${path}: ${words?.trim()}`),
    );
    expect(found).toEqual([]);
  });

  it('no comment between tags without braces: it would be shown', () => {
    const screens = SCREENS.map(({ path }) => [path, readFileSync(new URL(path, SRC), 'utf8')]);
    const found = screens.flatMap(([path = '', text = '']) =>
      [...text.matchAll(/(?:[^=]>|\})\s*\n\s*\/\*(?!\*)|[^=]>\s*\n\s*\/\//g)].map(() => path),
    );
    expect(found).toEqual([]);
  });

  it('no words in a prop that is shown or spoken', () => {
    const props =
      'label|legend|hint|title|lead|alt|placeholder|summary|caption|heading|text|pendingLabel|aria-label|aria-description|aria-roledescription|aria-valuetext';
    const found = SCREENS.flatMap(({ path, text }) =>
      [
        ...text.matchAll(
          new RegExp(`\\s(${props})=(?:\\{\\s*)?["'\`]([^"'\`]*[A-Za-z][^"'\`]*)`, 'g'),
        ),
      ].map(([, prop, words]) => `${path}: ${prop}="${words}"`),
    );
    expect(found).toEqual([]);
  });

  it('no words that are announced', () => {
    const found = SOURCES.filter(({ path }) => path.startsWith('portal/')).flatMap(
      ({ path, text }) =>
        [...text.matchAll(/(?:announce|showToast)\(\s*["'`]([^"'`]*\s[^"'`]*)/g)].map(
          ([, words]) => `${path}: ${words}`,
        ),
    );
    expect(found).toEqual([]);
  });
});

const SPECIFIED_TEXTS =
  /OTP|Otp|Congratulations!|The link you are trying|reset password link has been sent|have been logged out|username or password you entered|already associated|does not meet our security|Click the link/;

describe('our own words', () => {
  /** What people read, on screens and in mails; nothing for operators. */
  const OWN = [...TEXTS]
    .filter(([key, text]) => !key.startsWith('server.') && !SPECIFIED_TEXTS.test(text))
    .map(([key, text]) => [key, text.replace(/\{\w+\}/g, 'five').replace(/[“”"]/g, '')] as const);

  const sentencesOf = (text: string) =>
    text
      .split(/(?<=[.?!:…])\s+/)
      .filter((sentence) => /[.?!:…]$/.test(sentence) && /\w/.test(sentence));
  const wordsOf = (text: string) => text.match(/[\p{L}\d][\p{L}\d'’-]*/gu) ?? [];

  /** As Flesch and Kincaid count them, near enough: groups of vowels, without a silent e at the end. */
  function syllablesOf(word: string): number {
    const spoken = word.toLowerCase().replace(/(?:[^laeiouy]es|[^laeiouytd]ed|[^laeiouy]e)$/, '');
    return Math.max(1, (spoken.match(/[aeiouy]+/g) ?? []).length);
  }

  it('have at most 18 words in a sentence', () => {
    const long = OWN.flatMap(([key, text]) =>
      sentencesOf(text)
        .filter((sentence) => wordsOf(sentence).length > 18)
        .map((sentence) => `${key}: ${sentence}`),
    );
    expect(long).toEqual([]);
  });

  /** The grade of school at which a text is understood, by Flesch and Kincaid. */
  function gradeOf(sentences: readonly string[]): number {
    const words = sentences.flatMap(wordsOf);
    const syllables = words.map(syllablesOf).reduce((sum, count) => sum + count, 0);
    return 0.39 * (words.length / sentences.length) + 11.8 * (syllables / words.length) - 15.59;
  }

  it('read at grade 6 or below, all sentences together', () => {
    const sentences = OWN.flatMap(([, text]) => sentencesOf(text));
    expect(sentences.length).toBeGreaterThan(60);
    expect(gradeOf(sentences)).toBeLessThanOrEqual(6);
    // A counter that counts nothing would find every text easy.
    expect(gradeOf(sentences)).toBeGreaterThan(1);
  });

  it('read at grade 6 or below, subject by subject', () => {
    const subjects = new Set(OWN.map(([key]) => key.split('.')[0] ?? ''));
    const hard = [...subjects].filter((subject) => {
      const texts = OWN.filter(([key]) => key.startsWith(`${subject}.`)).map(([, text]) => text);
      const sentences = texts.flatMap(sentencesOf);
      return sentences.length > 0 && gradeOf(sentences) > 6;
    });
    expect(hard).toEqual([]);
    expect(subjects.size).toBeGreaterThan(10);
  });

  it('counts syllables like people do', () => {
    const words = [
      'code',
      'password',
      'email',
      'address',
      'settings',
      'organisation',
      'used',
      'the',
    ];
    expect(words.map(syllablesOf)).toEqual([1, 2, 2, 2, 2, 5, 1, 1]);
  });

  it('[V16] are spelled in one English', () => {
    const british = /colour|organis|programme|behaviour|favour|centre\b|recognis|cancelled/i;
    // The command, and the document beside it, have the name that the code has.
    const ofCode = /organisations?(?= (?:add|set|show|check|rotate-secret)\b|\.md)/g;
    const found = [...TEXTS].filter(([, text]) => british.test(text.replaceAll(ofCode, '')));
    expect(found).toEqual([]);
  });

  it('[V14] have no full stop behind an address or a number', () => {
    const spanish = Object.entries(es).flatMap(([name, group]) =>
      leaves(`es.${name}`, group as Branch),
    );
    const glued = [...TEXTS, ...spanish].filter(
      ([key, text]) => !/^(es\.)?hours\./.test(key) && /\{(?:email|mail|phone|to)\}\./.test(text),
    );
    expect(glued).toEqual([]);
    expect(spanish.length).toBeGreaterThan(500);
  });

  it('have no stray spaces', () => {
    const odd = [...TEXTS].filter(([, text]) => /^\s|\s\s/.test(text) || text.trim() === '');
    expect(odd).toEqual([]);
  });
});

test('[V40] the room of the code page is for its longest state, in each language (E61)', async () => {
  for (const { delivery: t } of [await import('./en/delivery.ts'), es]) {
    const { onItsWay, stillTrying, sent, notYet, delivered, cameBack, notThere, notSent } = t;
    const states = [onItsWay, stillTrying, sent, notYet, delivered, cameBack, notThere, notSent];
    const lengths = states.map((text) => fill(text, { time: `00:00 ${t.half}` }).length);
    expect(Math.max(...lengths)).toBe(`${t.longestState} ${t.half}`.length);
  }
});
