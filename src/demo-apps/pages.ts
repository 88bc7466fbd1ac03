import { escapeHtml } from '#domain/html.ts';
import type { ModuleId } from '#domain/roles.ts';

/** The token that a demo module received and checked. */
export type Received = {
  readonly module: ModuleId;
  readonly page: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly person: Readonly<Record<string, unknown>>;
  /** The module opened the sealed password; it shows only how long it is. */
  readonly credential: { readonly length: number } | null;
};

type Module = {
  readonly name: string;
  /** The name as a sentence has it: "You are in the Event Counter." */
  readonly inside: string;
  /** Today's entries, as such an app would show them: a heading and a line each. */
  readonly today: readonly (readonly [string, string])[];
};

const MODULES: Readonly<Record<ModuleId, Module>> = {
  'member-intake': {
    name: 'Member Intake',
    inside: 'Member Intake',
    today: [
      ['Your next visit', 'Tuesday at 10 am. We come to you.'],
      ['One form to sign', 'It takes about five minutes. You can stop and go on later.'],
    ],
  },
  admin: {
    name: 'Admin',
    inside: 'the Admin app',
    today: [
      ['3 people to welcome', 'They signed up this week.'],
      ['The monthly report', 'It is ready to read.'],
    ],
  },
  'event-counter': {
    name: 'Event Counter',
    inside: 'the Event Counter',
    today: [
      ['Autumn concert, 7 pm', '42 of 60 guests are here.'],
      ['Next at the desk', 'Ask for the name on the list.'],
    ],
  },
  'mobile-event-counter': {
    name: 'Mobile Event Counter',
    inside: 'the Mobile Event Counter',
    today: [
      ['Garden gate', '18 guests came in here.'],
      ['Autumn concert, 7 pm', 'Doors open at half past six.'],
    ],
  },
  'intake-entry': {
    name: 'Intake Entry Form',
    inside: 'the Intake Entry Form',
    today: [
      ['A new form', 'Type in what was filled in on paper.'],
      ['2 forms not finished', 'They are kept as you left them.'],
    ],
  },
  agent: {
    name: 'Agent',
    inside: 'the Agent app',
    today: [
      ['5 clients to call', 'Two of them asked for the morning.'],
      ['Plans for next year', 'They are open from Monday.'],
    ],
  },
  'partner-admin': {
    name: 'Partner Admin',
    inside: 'the Partner Admin app',
    today: [
      ['Your team', '4 people work with you.'],
      ['Courses', 'The next one begins on Thursday.'],
    ],
  },
  special: {
    name: 'Special Programs',
    inside: 'Special Programs',
    today: [
      ['Choir', 'Wednesday at 3 pm, in the round room.'],
      ['Chair yoga', 'Friday at 11 am. Nobody has to stand.'],
    ],
  },
};

/** Shows the signed-in person, as the module knows them. */
export function modulePage({ module, page, claims, person, credential }: Received): string {
  const roles = (person.userRoles as { roleId: number; roleKey: string }[])
    .map((role) => `${role.roleKey} (${role.roleId})`)
    .join(', ');
  const signOut = new URLSearchParams({
    success: 'true',
    appState: String(person.appState),
    loggenInId: String(person.loggedInId),
    roleId: String(person.roleId),
    userId: String(person.userId),
  });
  const here = (person.userRoles as { roleId: number; roleKey: string }[]).find(
    ({ roleId }) => String(roleId) === String(person.roleId),
  );
  const facts: readonly (readonly [string, string])[] = [
    ['Role here', String(person.roleId)],
    ['Roles passed on', roles],
    ['Subtenant', String(person.subtenantId)],
    ['Signed in with', (claims.amr as string[]).join(' and ')],
    ['Entrance', page === 'login' ? 'app login' : 'app root'],
    ['Token', 'verified by the public keys, redeemed once'],
    ['Sealed credential', credential ? `opened, ${credential.length} characters` : 'none'],
  ];
  const list = facts.map(([term, fact]) => `<dt>${term}</dt><dd>${escapeHtml(fact)}</dd>`).join('');
  const { name, inside, today } = MODULES[module];
  const cards = today.map(([title, text]) => `<article><h2>${title}</h2><p>${text}</p></article>`);
  const role = here ? ` You came as <b>${escapeHtml(here.roleKey)}</b>.` : '';
  return html(
    name,
    `<p class="lead">Welcome, <strong>${escapeHtml(String(person.memberName))}</strong>.</p><p>You are in ${inside}.${role}<br>Your email address: ${escapeHtml(String(person.email))}</p><div class="cards">${cards.join('')}</div><p><a class="button" href="/account/Signout?${escapeHtml(signOut.toString())}">Sign out</a></p><details><summary>For developers</summary><p>A small app of the demo plays all eight modules. What is on its cards is made up; this is what it received:</p><dl>${list}</dl></details>`,
  );
}

/** Refuses, says why, and shows the way back. */
export function refusalPage(reason: string): string {
  return html(
    'This app could not let you in',
    `<p class="lead">You did nothing wrong. Please sign in once more.</p><p><a class="button" href="/account/signin">Go to Sign In</a></p><details><summary>For developers</summary><p>The reason: ${escapeHtml(reason)}.</p></details>`,
  );
}

function html(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><link rel="stylesheet" href="/plain.css"><link rel="stylesheet" href="/demo/demo.css"></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
}
