import { describe, expect, test } from 'vitest';
import { check } from '#cli/import/check-row.ts';
import { readPerson, readPersonChange } from '#cli/person-words.ts';
import { changeSchema, newUserSchema } from '#openid-provider/auth0/management/profile.ts';
import { checkName, checkSignUp, normalizeName } from '#domain/typed/sign-up-form.ts';

/* [SUP-09] F18: the first letter, where its script has capitals. */
test.each([
  ['mary', 'Mary'],
  ['élodie', 'Élodie'],
  ['e\u0301lodie', 'E\u0301lodie'],
  ['გიორგი', 'გიორგი'],
  ['ßarah', 'ßarah'],
  ['ŉame', 'ŉame'],
  ['ﬁn', 'ﬁn'],
  ['ǆemal', 'ǅemal'],
  ['Ǆemal', 'ǅemal'],
  ['ǉubica', 'ǈubica'],
  ['ᾳδης', 'ᾼδης'],
  ['ΐ', 'ΐ'],
  ['İpek', 'İpek'],
  ['ırmak', 'Irmak'],
  ['зоя', 'Зоя'],
  ['𐐨𐑁', '𐐀𐑁'],
  ['李', '李'],
  ['मेरी', 'मेरी'],
])('[SUP-09] F18: %s is %s at sign-up, and as it is everywhere else', (typed, written) => {
  expect(normalizeName(`  ${typed}`)).toBe(written);
  const spaced = ` ${typed} `;
  expect(checkName({ firstName: spaced, lastName: spaced })).toMatchObject({
    values: { firstName: typed, lastName: typed },
  });
  expect(readPerson(['a@b.example', spaced, spaced], {})).toMatchObject({ firstName: typed });
  expect(readPersonChange({ first: spaced })).toEqual({ firstName: typed });
  expect(row(spaced)).toMatchObject({ firstName: typed, lastName: 'van der Berg' });
});

function row(firstName: string) {
  const person = {
    email: 'a@b.example',
    firstName,
    lastName: 'van der Berg',
    phone: '',
    roles: [],
    subtenant: '',
    externalId: null,
    isProven: false,
    isSuspended: false,
    hash: null,
  };
  const options = {
    readPhone: () => ({ phone: '' }),
    roleIds: [1],
    subtenantId: 742,
  };
  return check(1, person as never, new Map([['742', 742]]), options as never);
}

const FORM = {
  lastName: 'Lee',
  phone: '5550142290',
  email: 'a@b.example',
  password: 'Porchlight-1',
  confirmPassword: 'Porchlight-1',
};
const isThrown = (work: () => unknown) => {
  try {
    work();
    return false;
  } catch {
    return true;
  }
};
/** Each way in, and whether it refuses a first name. */
const REFUSES: readonly [string, (name: string) => boolean][] = [
  ['sign-up', (firstName) => !checkSignUp({ ...FORM, firstName }).isValid],
  ['My account and console', (firstName) => !checkName({ firstName, lastName: firstName }).isValid],
  ['user add', (name) => isThrown(() => readPerson(['a@b.example', name, name], {}))],
  ['user set', (name) => isThrown(() => readPersonChange({ last: name }))],
  ['import', (name) => 'reason' in row(name)],
  ['Management API, change', (name) => !changeSchema.safeParse({ given_name: name }).success],
  [
    'Management API, new user',
    (name) =>
      !newUserSchema.safeParse({
        connection: 'Username-Password-Authentication',
        email: 'a@b.example',
        password: 'x',
        name,
      }).success,
  ],
];

describe.each(REFUSES)('[SUP-09] F19: %s', (_, refuses) => {
  test.each([
    'Ann\u202Ecod',
    'Ann\u200BLee',
    '\u200EAnn',
    'Ann\u2066Lee\u2069',
    'An\u00ADn',
    'Ann\u2060',
    'Ann\u200D',
    '\u200CAnn',
    'Ann \u200DLee',
    'Ann\u{E0041}',
    'Ann\nLee',
    'Ann\u2028Lee',
    '\u3164',
    'Ann\u115FLee',
    'An\u034Fn',
    'علی\u200C\u200Cرضا',
  ])('refuses %j', (name) => {
    // A mark of the end is no space, and stays.
    expect(refuses(name)).toBe(true);
  });

  test.each([
    'علی\u200Cرضا',
    'क्\u200Dष',
    'Ann',
    "O'Brien",
    'J.',
    'مريم',
    '葛\u{E0100}城',
    'Nguye\u0302\u0303n',
    'בְּרֵאשִׁ֖ית',
  ])('takes %s', (name) => {
    expect(refuses(name)).toBe(false);
  });
});
