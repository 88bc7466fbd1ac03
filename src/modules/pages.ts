import { escapeHtml } from '#domain/html.ts';
import type { ModuleId } from '#domain/roles.ts';

/** What a demo module received and checked. */
export type Received = {
  readonly module: ModuleId;
  readonly page: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly person: Readonly<Record<string, unknown>>;
  /** The module opened the sealed password; it shows only how long it is. */
  readonly credential: { readonly length: number } | null;
};

const NAMES: Readonly<Record<ModuleId, string>> = {
  'member-intake': 'Member Intake',
  admin: 'Admin',
  'event-counter': 'Event Counter',
  'mobile-event-counter': 'Mobile Event Counter',
  'intake-entry': 'Intake Entry Form',
  agent: 'Agent',
  'partner-admin': 'Partner Admin',
  special: 'Special Programs',
};

/** Shows who came, as the module knows it. */
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
  const rows: readonly (readonly [string, string])[] = [
    ['Name', String(person.memberName)],
    ['Email', String(person.email)],
    ['Role here', String(person.roleId)],
    ['Roles passed on', roles],
    ['Subtenant', String(person.subtenantId)],
    ['Signed in with', (claims.amr as string[]).join(' and ')],
    ['Entrance', page === 'login' ? 'app login' : 'app root'],
    ['Token', 'verified by the public keys, redeemed once'],
    ['Sealed credential', credential ? `opened, ${credential.length} characters` : 'none'],
  ];
  const list = rows.map(([term, text]) => `<dt>${term}</dt><dd>${escapeHtml(text)}</dd>`).join('');
  return html(
    `${NAMES[module]} (demo module)`,
    `<p>Welcome, <strong>${escapeHtml(String(person.memberName))}</strong>. You are signed in.</p><dl>${list}</dl><p><a href="/account/Signout?${escapeHtml(signOut.toString())}">Sign out</a></p>`,
  );
}

/** The third party before anybody signed in, or after somebody chose not to. */
export function partyFrontPage(refusal: string | null): string {
  const told = refusal
    ? `<p>You are not signed in. Porchlight said: ${escapeHtml(refusal)}.</p>`
    : '';
  return html(
    'Garden Club (demo app)',
    `${told}<p>An app of somebody else’s. Porchlight signs you in and asks before it tells who you are.</p><p><a href="/demo/relying-party/start">Sign in with Porchlight</a></p>`,
  );
}

/** What the third party was told. */
export function partyPage(person: Readonly<Record<string, unknown>>): string {
  const rows: readonly (readonly [string, unknown])[] = [
    ['Name', person.name],
    ['Email', person.email],
    ['Account', person.sub],
    ['Signed in with', (person.amr as readonly string[]).join(' and ')],
    ['Token', 'redeemed server to server, with PKCE'],
  ];
  const list = rows
    .map(([term, text]) => `<dt>${term}</dt><dd>${escapeHtml(String(text))}</dd>`)
    .join('');
  return html(
    'Garden Club (demo app)',
    `<p>Welcome, <strong>${escapeHtml(String(person.name))}</strong>. You are signed in.</p><dl>${list}</dl><p><a href="/demo/relying-party/sign-out">Sign out</a></p>`,
  );
}

/** Refuses, says why, and shows the way back. */
export function refusalPage(reason: string): string {
  return html(
    'This app could not let you in',
    `<p>The reason: ${escapeHtml(reason)}.</p><p><a href="/account/signin">Sign in again</a></p>`,
  );
}

function html(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><link rel="stylesheet" href="/plain.css"></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
}
