import { describe, expect, test } from 'vitest';
import {
  CONSOLE_ROLES,
  consoleRoleOf,
  isHouseRole,
  type ConsoleStaff,
  mayHandle,
  parseConsoleGrant,
  PERSON_KINDS,
  personKindOf,
} from './console-rights.ts';
import { CONSOLE_VERBS, isNote, mayDo } from './console-verbs.ts';

const GRANTS = ['742:3', 'account:77'].flatMap((text) => parseConsoleGrant('helpDesk', text) ?? []);
const ALL = [...GRANTS, ...['742:4'].flatMap((text) => parseConsoleGrant('operator', text) ?? [])];
const PLAIN = { administers: null, houseRoles: [] } as const;
const desk: ConsoleStaff = { id: 1, subtenantId: 742, roleIds: [3], role: 'helpDesk', ...PLAIN };
const operator: ConsoleStaff = {
  id: 2,
  subtenantId: 742,
  roleIds: [4],
  role: 'operator',
  ...PLAIN,
};
const administrator: ConsoleStaff = {
  ...desk,
  id: 3,
  roleIds: [],
  administers: 742,
  role: 'administrator',
  houseRoles: [3, 4, 5],
};
const person = (id: number, roleIds: readonly number[], subtenantId = 742) => ({
  id,
  roleIds,
  subtenantId,
  administers: null,
});

describe('[CON-02] grants', () => {
  test('a role counts in its subtenant alone, an account everywhere, and the operator wins', () => {
    expect(consoleRoleOf(person(5, [3]), ALL)).toBe('helpDesk');
    expect(consoleRoleOf(person(5, [3], 900), ALL)).toBe(null);
    expect(consoleRoleOf(person(77, [1], 900), ALL)).toBe('helpDesk');
    expect(consoleRoleOf(person(5, [3, 4]), ALL)).toBe('operator');
    expect(consoleRoleOf(person(5, [3, 4]), [])).toBe(null);
  });

  test.each(['742', '742:', ':3', '742:3:1', '0:3', '742:0', 'account:', 'account:x', 'x:3', ''])(
    '%j is none',
    (text) => expect(parseConsoleGrant('operator', text)).toBe(null),
  );
});

describe('[CON-03] whose account it is', () => {
  test.each([
    ['oneself', person(1, [1])],
    ['colleague', person(9, [1, 4])],
    ['colleague', person(77, [1], 900)],
    ['elsewhere', person(9, [1], 900)],
    ['staff', person(9, [1, 5])],
    ['staff', person(9, [2])],
    ['member', person(9, [1, 9, 18])],
    ['member', person(9, [])],
  ])('%s: %j', (kind, who) => expect(personKindOf(desk, who, ALL)).toBe(kind));
});

test('[CON-03] nobody has a verb for oneself or for a colleague', () => {
  for (const verb of CONSOLE_VERBS) {
    for (const role of CONSOLE_ROLES) {
      expect(mayDo(role, verb, 'oneself') || mayDo(role, verb, 'colleague')).toBe(false);
    }
  }
});

test('[CON-03] a help desk acts on members of its own subtenant alone, and neither exports nor erases', () => {
  for (const verb of CONSOLE_VERBS) {
    const kinds = PERSON_KINDS.filter((kind) => mayDo('helpDesk', verb, kind));
    expect(kinds).toEqual(['export', 'erase'].includes(verb) ? [] : ['member']);
    const operators = PERSON_KINDS.filter((kind) => mayDo('operator', verb, kind));
    expect(operators).toEqual(['elsewhere', 'staff', 'member']);
  }
});

test('[CON-03] a role outside of the set, of another subtenant or with console rights is given by nobody', () => {
  expect([1, 9, 18].every((id) => mayHandle(desk, id as 1, 742, ALL))).toBe(true);
  expect([2, 3, 4, 5].some((id) => mayHandle(desk, id as 2, 742, ALL))).toBe(false);
  expect(mayHandle(desk, 1, 900, ALL)).toBe(false);
  expect(mayHandle(operator, 5, 900, ALL)).toBe(true);
  expect([3, 4].some((id) => mayHandle(operator, id as 3, 742, ALL))).toBe(false);
});

describe('[HOU-01] an administrator of a house', () => {
  const other = { ...person(9, [1]), administers: 742 };
  test('has the right in the own house alone, and an operator stays one', () => {
    expect(consoleRoleOf(other, ALL)).toBe('administrator');
    expect(consoleRoleOf({ ...other, subtenantId: 900 }, ALL)).toBe(null);
    expect(consoleRoleOf({ ...other, roleIds: [3] }, ALL)).toBe('administrator');
    expect(consoleRoleOf({ ...other, roleIds: [4] }, ALL)).toBe('operator');
  });

  test.each([
    ['staff', person(9, [3])],
    ['staff', person(9, [1, 5])],
    ['member', person(9, [1])],
    ['elsewhere', person(9, [1], 900)],
    ['colleague', person(77, [1], 900)],
    ['colleague', person(9, [4])],
    ['colleague', other],
    ['oneself', { ...other, id: 3 }],
  ])('sees as %s: %j', (kind, who) => expect(personKindOf(administrator, who, ALL)).toBe(kind));

  test('has for staff what 11.3 names, and for members what a help desk has', () => {
    const verbs = (kind: 'staff' | 'member') =>
      CONSOLE_VERBS.filter((verb) => mayDo('administrator', verb, kind));
    expect(verbs('member')).toEqual(CONSOLE_VERBS.filter((v) => mayDo('helpDesk', v, 'member')));
    expect(verbs('staff')).toEqual([
      'look',
      'resend',
      'mailReset',
      'unlock',
      'endSessions',
      'suspend',
      'resume',
      'giveRole',
      'takeRole',
      'invite',
    ]);
  });

  test('[HOU-02] gives the roles of its list and the help desk’s, in its house, and never an operator’s', () => {
    const mayGive = (id: number, house = 742) => mayHandle(administrator, id as 1, house, ALL);
    expect([1, 9, 18, 3, 5].every((id) => mayGive(id))).toBe(true);
    expect([4, 6].some((id) => mayGive(id))).toBe(false);
    expect([1, 3, 5].some((id) => mayGive(id, 900))).toBe(false);
    expect([1, 9, 18, 4].some((id) => isHouseRole(id as 1, 742, ALL))).toBe(false);
  });
});

test.each([
  ['moved to another house', true],
  ['room 212', true],
  ['call 5550142', false],
  ['call ٥٥٥٠١٤٢', false],
  ['ann@x.example', false],
  ['ann＠x.example', false],
])('[CON-07] a note has no address and no number, in any script: %s', (note, isOne) => {
  expect(isNote(note)).toBe(isOne);
});
