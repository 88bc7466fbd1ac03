import { describe, expect, it, test } from 'vitest';
import {
  carriesCredential,
  type Choice,
  type Destination,
  type Entrance,
  routableRoles,
  routeAfterLogin,
  routeChoice,
  roleChoices,
} from './role-routing.ts';
import { isRoleId, MODULE_IDS, ROLES, type RoleId } from './roles.ts';

const ROLE_IDS = Object.keys(ROLES).map(Number) as readonly RoleId[];
const SWITCHER: Destination = { kind: 'selectRole' };
const NOT_STAFF: Destination = { kind: 'notStaff' };
const UNAUTHORIZED: Destination = { kind: 'unauthorized' };

/** A door as text, "member-intake/login", with the role played behind it and the roles that travel along. */
const behind = (door: string, roleId: RoleId, passedRoleIds: readonly RoleId[] = [roleId]) => {
  const [module, page] = door.split('/');
  return { kind: 'module', entry: { module, page }, roleId, passedRoleIds };
};
const STAFF_MODULE = 'member-intake/root';

const role = (roleId: RoleId): Choice => ({ kind: 'role', roleId });
const onApp = (roleId: RoleId): Choice => ({ kind: 'signInOnApp', roleId });

/** The table of roles (docs/requirements.md, "Roles"), typed out again: a slip in the product's own table must show. */
const SPECIFIED_ENTRIES: Readonly<Record<number, string>> = {
  1: 'member-intake/login',
  9: 'member-intake/login',
  4: 'admin/root',
  11: 'admin/root',
  6: 'event-counter/root',
  16: 'mobile-event-counter/root',
  21: 'intake-entry/root',
  5: 'agent/root',
  17: 'partner-admin/login',
  18: 'partner-admin/login',
  3: 'member-intake/root',
  10: 'member-intake/root',
  13: 'member-intake/root',
  14: 'member-intake/root',
  15: 'member-intake/root',
  20: 'special/root',
};
const STAFF = [3, 13, 14, 15];
const DROPPED = [2, 7, 8, 22];

describe('routeAfterLogin, sentence by sentence', () => {
  type Line = readonly [string, readonly number[], Entrance, unknown];
  // prettier-ignore
  test.each<Line>([
    ['[RED-06] "Roles 2, 7, 8 and 22 are dropped from the list."', [2, 6, 7, 8, 22], 'portal', behind('event-counter/root', 6)],
    ['[RED-06] "Roles 2, 7, 8 and 22 are dropped from the list." They do not make a list of many', [1, 2], 'portal', behind('member-intake/login', 1)],
    ['[RED-06] "No role left after dropping: UnAuthorizedAccess."', [2, 7, 8, 22], 'portal', UNAUTHORIZED],
    ['[RED-06] "No role left after dropping: UnAuthorizedAccess." An account without roles', [], 'portal', UNAUTHORIZED],
    ['[RED-06] "No role left after dropping: UnAuthorizedAccess." By the staff door as well', [2, 7], 'legalStaff', UNAUTHORIZED],
    ['[RED-06] "No role left after dropping: UnAuthorizedAccess." Ids that nobody knows are none', [0, 12, 19, 23, -1, 1.5, Number.NaN], 'portal', UNAUTHORIZED],
    ['[RED-06] "A single remaining non-staff role goes straight to its module."', [4], 'portal', behind('admin/root', 4)],
    ['[RED-06] "A single remaining non-staff role goes straight to its module." 10 is no staff role', [10], 'portal', behind('member-intake/root', 10)],
    ['[RED-07] "Staff roles (3, 13, 14, 15) … lead to SelectRoles."', [3, 13, 14, 15], 'portal', SWITCHER],
    ['[RED-07] "A single staff role still goes to SelectRoles" 3', [3], 'portal', SWITCHER],
    ['[RED-07] "A single staff role still goes to SelectRoles" 13', [13], 'portal', SWITCHER],
    ['[RED-07] "A single staff role still goes to SelectRoles" 14', [14], 'portal', SWITCHER],
    ['[RED-07] "A single staff role still goes to SelectRoles" 15', [15, 22], 'portal', SWITCHER],
    ['[RED-07] "any non-20 role in a multi-role list, lead to SelectRoles."', [4, 6], 'portal', SWITCHER],
    ['[RED-07] "any non-20 role in a multi-role list, lead to SelectRoles." 20 beside it changes nothing', [6, 20], 'portal', SWITCHER],
    ['[RED-07] "any non-20 role in a multi-role list, lead to SelectRoles." Both top roles', [1, 9], 'portal', SWITCHER],
    ['[RED-08] "Role 20 alone redirects to a separate module with an encoded token."', [20], 'portal', behind('special/root', 20)],
    ['[RED-09] "On the legal-staff route, staff roles go to the staff module."', [3], 'legalStaff', behind(STAFF_MODULE, 3)],
    ['[RED-09] "On the legal-staff route, staff roles go to the staff module." Beside others too', [1, 13], 'legalStaff', behind(STAFF_MODULE, 13, [1, 13])],
    ['[RED-09] "On the legal-staff route, staff roles go to the staff module." The first in the order of the switcher', [15, 14, 13], 'legalStaff', behind(STAFF_MODULE, 13, [13, 14, 15])],
    ['[RED-09] "Only legal staff may use the legal-staff login route."', [1], 'legalStaff', NOT_STAFF],
    ['[RED-09] "Only legal staff may use the legal-staff login route." 17 with 9 is no staff', [9, 17], 'legalStaff', NOT_STAFF],
    ['[RED-09] "Only legal staff may use the legal-staff login route." 10 is no staff role', [10], 'legalStaff', NOT_STAFF],
    ['[RED-10] "17 or 5 together with 9 or 1 go straight to the staff module with role 9 or 1." 17 with 9', [9, 17], 'portal', behind(STAFF_MODULE, 9, [9, 17])],
    ['[RED-10] "17 or 5 together with 9 or 1 go straight to the staff module with role 9 or 1." 17 with 1', [1, 17], 'portal', behind(STAFF_MODULE, 1, [1, 17])],
    ['[RED-10] "17 or 5 together with 9 or 1 go straight to the staff module with role 9 or 1." 5 with 9', [5, 9], 'portal', behind(STAFF_MODULE, 9, [5, 9])],
    ['[RED-10] "17 or 5 together with 9 or 1 go straight to the staff module with role 9 or 1." 5 with 1', [1, 5], 'portal', behind(STAFF_MODULE, 1, [1, 5])],
    ['[RED-10] "9 wins over 1."', [1, 5, 9], 'portal', behind(STAFF_MODULE, 9, [1, 5, 9])],
    ['[RED-10] "the roles left after dropping contain one of each and nothing staff" Staff asks', [3, 5, 9], 'portal', SWITCHER],
    ['[RED-10] "the roles left after dropping contain one of each and nothing staff" Others may be there', [1, 4, 17], 'portal', behind(STAFF_MODULE, 1, [1, 4, 17])],
    ['[RED-10] "the roles left after dropping contain one of each and nothing staff" Dropped ones do not count', [2, 5, 9], 'portal', behind(STAFF_MODULE, 9, [5, 9])],
    ['[RED-10] 18 with 9 is not among the combinations', [9, 18], 'portal', SWITCHER],
    ['[RED-10] 17 with 5 lacks a top role', [5, 17], 'portal', SWITCHER],
  ])('%s: %j by %s', (_sentence, roleIds, entrance, destination) => {
    expect(routeAfterLogin(roleIds, entrance)).toEqual(destination);
  });
});

describe('the switcher, sentence by sentence', () => {
  // prettier-ignore
  test.each<readonly [string, readonly number[], readonly Choice[]]>([
    ['[ROL-04] "If the list has 9 or 1, roles 17, 18 and 5 are hidden." 9', [5, 9, 17, 18, 4], [role(4), role(9)]],
    ['[ROL-04] "If the list has 9 or 1, roles 17, 18 and 5 are hidden." 1', [1, 5, 17, 18, 4], [role(4), role(1)]],
    ['[ROL-04] "If the list has 9 or 1, roles 17, 18 and 5 are hidden." Without 9 and 1 they are there', [5, 17, 18], [role(5), role(17), role(18)]],
    ['[ROL-05] "Order: 3, 13, 14, 15, 4, 11, 6, 16, then the others."', [21, 20, 16, 15, 14, 13, 11, 10, 9, 6, 4, 3, 1], [role(3), role(13), role(14), role(15), role(4), role(11), role(6), role(16), role(1), role(9), role(10), role(20), role(21), onApp(3)]],
    ['[ROL-02] "The extra entry \'Sign-In On App\' appears for staff roles." 3', [3], [role(3), onApp(3)]],
    ['[ROL-02] "The extra entry \'Sign-In On App\' appears for staff roles." 15, last in the list', [1, 15], [role(15), role(1), onApp(15)]],
    ['[ROL-02] "The extra entry \'Sign-In On App\' appears for staff roles." Not for 10', [4, 10], [role(4), role(10)]],
    ['[RED-06] "Roles 2, 7, 8 and 22 are dropped from the list."', [2, 4, 6, 7, 8, 22], [role(4), role(6)]],
  ])('%s: %j', (_sentence, roleIds, choices) => {
    expect(roleChoices(roleIds)).toEqual(choices);
  });

  // prettier-ignore
  test.each<readonly [string, readonly number[], Choice, unknown]>([
    ['[ROL-06] "Choosing 20 redirects to a separate module."', [4, 20], role(20), behind('special/root', 20, [4, 20])],
    ['[ROL-06] "Roles 17, 18 and 5 pass only their own role." 17', [4, 17], role(17), behind('partner-admin/login', 17)],
    ['[ROL-06] "Roles 17, 18 and 5 pass only their own role." 18', [4, 18], role(18), behind('partner-admin/login', 18)],
    ['[ROL-06] "Roles 17, 18 and 5 pass only their own role." 5', [4, 5], role(5), behind('agent/root', 5)],
    ['[ROL-06] "The rest go to their module."', [4, 21], role(21), behind('intake-entry/root', 21, [4, 21])],
    ['[RED-13] "Roles 4, 11, 6, 16, 5, 17 and 18 receive only their own role entry when chosen." 4', [1, 4], role(4), behind('admin/root', 4)],
    ['[RED-13] "Roles 4, 11, 6, 16, 5, 17 and 18 receive only their own role entry when chosen." 11', [1, 11], role(11), behind('admin/root', 11)],
    ['[RED-13] "Roles 4, 11, 6, 16, 5, 17 and 18 receive only their own role entry when chosen." 6', [1, 6], role(6), behind('event-counter/root', 6)],
    ['[RED-13] "Roles 4, 11, 6, 16, 5, 17 and 18 receive only their own role entry when chosen." 16', [1, 16], role(16), behind('mobile-event-counter/root', 16)],
    ['[RED-13] "… only their own role entry when chosen." Role 1 takes the whole list along', [1, 6], role(1), behind('member-intake/login', 1, [1, 6])],
    ['[ROL-02] "\'Sign-In On App\' … opens the member intake app login with the staff role"', [1, 3], onApp(3), behind('member-intake/login', 3, [1, 3])],
  ])('%s', (_sentence, roleIds, choice, destination) => {
    expect(routeChoice(roleIds, choice)).toEqual(destination);
  });

  // prettier-ignore
  test.each<readonly [string, readonly number[], Choice]>([
    ['a role of somebody else', [4, 6], role(20)],
    ['a hidden role', [4, 9, 17], role(17)],
    ['a dropped role', [2, 4, 6], role(2)],
    ['the app without a staff role', [4, 6], onApp(4)],
    ['the app with a role that is not the staff one', [3, 4], onApp(4)],
    ['the app with the second staff role', [3, 13], onApp(13)],
    ['an unknown role', [4, 6], role(999 as RoleId)],
  ])('[RED-13] refuses %s', (_what, roleIds, choice) => {
    expect(routeChoice(roleIds, choice)).toBeNull();
  });
});

describe('the table of roles', () => {
  // prettier-ignore
  test.each<readonly [string, readonly RoleId[], string]>([
    ['"1 or 9: the member intake app login."', [1, 9], 'member-intake/login'],
    ['"4 or 11: the admin app."', [4, 11], 'admin/root'],
    ['"6: the event counter app."', [6], 'event-counter/root'],
    ['"16: the mobile event counter app."', [16], 'mobile-event-counter/root'],
    ['"21: the intake entry form app."', [21], 'intake-entry/root'],
    ['"5: the agent app."', [5], 'agent/root'],
    ['"17 or 18: the partner admin app login."', [17, 18], 'partner-admin/login'],
    ['"3, 10, 13, 14 or 15: the member intake app root."', [3, 10, 13, 14, 15], 'member-intake/root'],
    ['"20: Routes to a separate module"', [20], 'special/root'],
  ])('[RED-11] %s', (_sentence, roleIds, door) => {
    const doors = roleIds.map((id) => `${ROLES[id].entry?.module}/${ROLES[id].entry?.page}`);
    expect(doors).toEqual(roleIds.map(() => door));
  });

  it('[RED-06] "2, 7, 8, 22: Excluded from login routing": known, and without a door', () => {
    expect(ROLE_IDS.filter((id) => ROLES[id].entry === null)).toEqual(DROPPED);
  });

  it('[RED-09] "3, 13, 14, 15: Staff or legal-staff roles", and nobody else', () => {
    expect(ROLE_IDS.filter((id) => ROLES[id].isStaff)).toEqual(STAFF);
  });

  it('[RED-11] the separate module of role 20 serves nobody else, and no module is without a role', () => {
    const served = ROLE_IDS.map((id) => ROLES[id].entry?.module);
    expect(served.filter((module) => module === 'special')).toHaveLength(1);
    expect(MODULE_IDS.filter((module) => !served.includes(module))).toEqual([]);
  });

  it('[ROL-01] every role has a name of its own', () => {
    const names = ROLE_IDS.map((id) => ROLES[id].key);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[A-Z][A-Za-z ]+$/.test(name))).toEqual([]);
  });

  it('[RED-06] names of inherited properties are no roles', () => {
    expect(['toString', 'constructor', '__proto__'].map((name) => isRoleId(name as never))).toEqual(
      [false, false, false],
    );
  });

  it('[RED-12] "For staff or role 20 the query also carries an encoded copy of the password", for nobody else', () => {
    expect(ROLE_IDS.filter(carriesCredential)).toEqual([3, 13, 14, 15, 20]);
  });
});

const POOL = [1, 3, 4, 5, 6, 9, 16, 17, 18, 20, 21];

/** Every list of up to three roles of the pool. */
const LISTS: readonly (readonly number[])[] = [
  [],
  ...POOL.map((a) => [a]),
  ...POOL.flatMap((a) => POOL.filter((b) => b > a).map((b) => [a, b])),
  ...POOL.flatMap((a) =>
    POOL.filter((b) => b > a).flatMap((b) => POOL.filter((c) => c > b).map((c) => [a, b, c])),
  ),
];

function orders(list: readonly number[]): readonly (readonly number[])[] {
  if (list.length < 2) return [list];
  return list.flatMap((first) =>
    orders(list.filter((id) => id !== first)).map((rest) => [first, ...rest]),
  );
}

/** Every offer and every refusal a browser could try. */
const EVERY_CHOICE: readonly Choice[] = ROLE_IDS.flatMap((id) => [role(id), onApp(id)]);

/** One row a list, so that a difference names the list it was found at. */
const perList = (rowOf: (list: readonly number[]) => unknown) =>
  LISTS.map((list) => [list, rowOf(list)]);

const isLimited = (id: number) => [4, 11, 6, 16, 5, 17, 18].includes(id);
const isTop = (id: number) => id === 9 || id === 1;
const isJoined = (id: number) => id === 17 || id === 5;

test('the lists are all 232 of them', () => {
  expect(LISTS).toHaveLength(1 + 11 + 55 + 165);
});

describe.each<Entrance>(['portal', 'legalStaff'])(
  'every list of up to three roles, by %s',
  (entrance) => {
    const moduleOf = (list: readonly number[]) => {
      const destination = routeAfterLogin(list, entrance);
      return destination.kind === 'module' ? destination : null;
    };
    const ARRIVING = LISTS.filter((list) => moduleOf(list) !== null);

    it('some lists lead straight to a module', () => {
      expect(ARRIVING.length).toBeGreaterThan(10);
    });

    it('[RED-11] a module is the one that the table of roles gives the role, except in the two cases of the staff module', () => {
      const doors = ARRIVING.map((list) => {
        const found = moduleOf(list);
        return [list, found?.roleId, `${found?.entry.module}/${found?.entry.page}`];
      });
      const specified = ARRIVING.map((list) => {
        const roleId = moduleOf(list)?.roleId ?? 0;
        const isStaffModule = entrance === 'legalStaff' || (isTop(roleId) && list.some(isJoined));
        return [list, roleId, isStaffModule ? STAFF_MODULE : SPECIFIED_ENTRIES[roleId]];
      });
      expect(doors).toEqual(specified);
    });

    it('[RED-13] the role is one of the person’s, and so is every role that travels along', () => {
      const roleOf = (list: readonly number[]) => moduleOf(list)?.roleId ?? 0;
      expect(ARRIVING.filter((list) => !list.includes(roleOf(list)))).toEqual([]);
      expect(ARRIVING.map((list) => [list, moduleOf(list)?.passedRoleIds])).toEqual(
        ARRIVING.map((list) => [list, isLimited(roleOf(list)) ? [roleOf(list)] : list]),
      );
    });

    it('[RED-06] dropped and unknown roles change nothing and are never reached', () => {
      const answers = (list: readonly number[]) => [
        routeAfterLogin(list, entrance),
        roleChoices(list),
      ];
      const padded = (list: readonly number[]) => [22, 999, ...list, 2, 7, 8, 0];
      expect(perList((list) => answers(padded(list)))).toEqual(perList(answers));
      expect(perList((list) => routableRoles(padded(list)))).toEqual(perList((list) => list));
    });

    it('the order of the roles never matters, nor does a role that is named twice', () => {
      const answers = (list: readonly number[]) => [
        routeAfterLogin(list, entrance),
        roleChoices(list),
        EVERY_CHOICE.map((choice) => routeChoice(list, choice)),
      ];
      const variants = (list: readonly number[]) => [...orders(list), [...list, ...list]];
      expect(perList((list) => variants(list).map(answers))).toEqual(
        perList((list) => variants(list).map(() => answers(list))),
      );
    });
  },
);

describe('every list of up to three roles', () => {
  it('[RED-09] only staff get past the staff door', () => {
    const whoGetsPast = (list: readonly number[]) => {
      if (list.length === 0) return 'unauthorized';
      return list.includes(3) ? 'module' : 'notStaff';
    };
    expect(perList((list) => routeAfterLogin(list, 'legalStaff').kind)).toEqual(
      perList(whoGetsPast),
    );
  });

  it('[RED-07] [RED-10] the portal asks exactly when there is staff, or several roles that are no household', () => {
    const whoIsAsked = (list: readonly number[]) => {
      if (list.length === 0) return 'unauthorized';
      const isHousehold = list.some(isTop) && list.some(isJoined) && !list.includes(3);
      return list.includes(3) || (list.length > 1 && !isHousehold) ? 'selectRole' : 'module';
    };
    expect(perList((list) => routeAfterLogin(list, 'portal').kind)).toEqual(perList(whoIsAsked));
  });

  const shownRoles = (list: readonly number[]) =>
    roleChoices(list)
      .filter((choice) => choice.kind === 'role')
      .map((choice) => choice.roleId);

  it('[ROL-04] the switcher shows each role once, without the hidden ones', () => {
    const wanted = (list: readonly number[]) =>
      list.some(isTop) ? list.filter((id) => ![17, 18, 5].includes(id)) : list;
    expect(perList((list) => [...shownRoles(list)].sort((a, b) => a - b))).toEqual(perList(wanted));
  });

  it('[ROL-05] the switcher keeps the specified order', () => {
    const rank = (id: number) => {
      const place = [3, 13, 14, 15, 4, 11, 6, 16].indexOf(id);
      return place === -1 ? 99 : place;
    };
    const isOutOfOrder = (list: readonly number[]) => {
      const ranks = shownRoles(list).map(rank);
      return ranks.some((each, index) => each < (ranks[index - 1] ?? 0));
    };
    expect(LISTS.filter(isOutOfOrder)).toEqual([]);
  });

  it("[ROL-02] 'Sign-In On App' comes once and last, with a staff role, and only for staff", () => {
    const appRoles = (list: readonly number[]) =>
      roleChoices(list).flatMap((choice, index, all) =>
        choice.kind === 'signInOnApp' ? [[choice.roleId, all.length - index]] : [],
      );
    expect(perList(appRoles)).toEqual(perList((list) => (list.includes(3) ? [[3, 1]] : [])));
  });

  it('[ROL-06] [RED-13] every offered choice leads to its module, and everything else is refused', () => {
    const answer = (list: readonly number[], choice: Choice) => {
      const found = routeChoice(list, choice);
      return (
        found && [`${found.entry.module}/${found.entry.page}`, found.roleId, found.passedRoleIds]
      );
    };
    const wanted = (list: readonly number[], { kind, roleId }: Choice) => {
      const isOffered = roleChoices(list).some(
        (each) => each.kind === kind && each.roleId === roleId,
      );
      if (!isOffered) return null;
      const door = kind === 'signInOnApp' ? 'member-intake/login' : SPECIFIED_ENTRIES[roleId];
      return [door, roleId, isLimited(roleId) ? [roleId] : list];
    };
    expect(perList((list) => EVERY_CHOICE.map((choice) => answer(list, choice)))).toEqual(
      perList((list) => EVERY_CHOICE.map((choice) => wanted(list, choice))),
    );
  });

  it('[ROL-03] whoever is asked has something to choose', () => {
    const asked = LISTS.filter((list) => routeAfterLogin(list, 'portal').kind === 'selectRole');
    expect(asked.length).toBeGreaterThan(100);
    expect(asked.filter((list) => roleChoices(list).length === 0)).toEqual([]);
  });
});
