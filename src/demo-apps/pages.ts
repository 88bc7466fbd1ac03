import { addressHtml } from '#domain/text/contact-text.ts';
import { escapeHtml } from '#domain/text/html.ts';
import type { ModuleId } from '#domain/people/roles.ts';
import { textsIn } from '#locales/catalogue.ts';
import { fill } from '#locales/fill.ts';
import { directionOf, type Language } from '#locales/languages.ts';

/** The token that a demo module received and checked. */
export type Received = {
  readonly module: ModuleId;
  readonly page: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly person: Readonly<Record<string, unknown>>;
  /** The module opened the sealed password; it shows only how long it is. */
  readonly credential: { readonly length: number } | null;
};

/** Shows the signed-in person, as the module knows them. */
export function modulePage(
  { module, page, claims, person, credential }: Received,
  language: Language,
): string {
  const { demoModules: t, roleNames } = textsIn(language);
  const userRoles = person.userRoles as { roleId: number; roleKey: string }[];
  const roles = userRoles.map((role) => `${role.roleKey} (${role.roleId})`).join(', ');
  const here = userRoles.find(({ roleId }) => String(roleId) === String(person.roleId));
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
  const { name, inside, today } = t.modules[module];
  const cards = today.map(([title, text]) => `<article><h2>${title}</h2><p>${text}</p></article>`);
  const bold = (text: string) => `<b>${escapeHtml(text)}</b>`;
  const welcome = fill(t.welcome, { name: bold(String(person.memberName)) });
  const role = here && fill(t.role, { role: bold(roleNames[here.roleId] ?? here.roleKey) });
  const email = fill(t.email, { email: addressHtml(String(person.email)) });
  return html(
    language,
    name,
    `<p class="lead">${welcome}</p><p>${fill(t.inside, { module: inside })} ${role ?? ''}<br>${email}</p><div class="cards">${cards.join('')}</div><p><a class="button" href="/demo/${module}/sign-out">${t.signOut}</a></p>${forDevelopers(t.developers, `<p>A small app of the demo plays all eight modules. What is on its cards is made up; this is what it received:</p><dl>${list}</dl>`)}`,
  );
}

/** Returns a refusal with its reason and a link back. */
export function refusalPage(reason: string, language: Language): string {
  const { demoModules: t } = textsIn(language);
  return html(
    language,
    t.refusedTitle,
    `<p class="lead">${t.refusedText}</p><p><a class="button" href="/account/signin">${t.toSignIn}</a></p>${forDevelopers(t.developers, `<p>The reason: ${escapeHtml(reason)}.</p>`)}`,
  );
}

/** Details for developers, in English and folded away. */
export const forDevelopers = (title: string, details: string): string =>
  `<details><summary>${title}</summary><div lang="en">${details}</div></details>`;

function html(language: Language, title: string, body: string): string {
  return `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><link rel="stylesheet" href="/plain.css"><link rel="stylesheet" href="/demo/demo.css"></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
}
