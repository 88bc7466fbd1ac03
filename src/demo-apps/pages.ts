import { pathOf } from '#domain/flow/screens.ts';
import { addressHtml } from '#domain/text/contact-text.ts';
import { fillHtml, html, type Markup } from '#domain/text/html.ts';
import type { ModuleId } from '#domain/people/roles.ts';
import { textsIn } from '#locales/catalogue.ts';
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
  const list = facts.map(([term, fact]) => html`<dt>${term}</dt><dd>${fact}</dd>`);
  const { name, inside, today } = t.modules[module];
  const cards = today.map(
    ([title, text]) => html`<article><h2>${title}</h2><p>${text}</p></article>`,
  );
  const bold = (text: string) => html`<b>${text}</b>`;
  const welcome = fillHtml(t.welcome, { name: bold(String(person.memberName)) });
  const role = here && fillHtml(t.role, { role: bold(roleNames[here.roleId] ?? here.roleKey) });
  const email = fillHtml(t.email, { email: addressHtml(String(person.email)) });
  const received = html`<p>A small app of the demo plays all eight modules. What is on its cards is made up; this is
    what it received:</p><dl>${list}</dl>`;
  return drawPage(
    language,
    name,
    html`<p class="lead">${welcome}</p><p>${fillHtml(t.inside, { module: inside })} ${role ?? ''}<br>${email}</p>
    <div class="cards">${cards}</div><p><a class="button" href="/demo/${module}/sign-out">${t.signOut}</a></p>
    ${forDevelopers(t.developers, received)}`,
  );
}

/** Returns a refusal with its reason and a link back. */
export function refusalPage(reason: string, language: Language): string {
  const { demoModules: t } = textsIn(language);
  return drawPage(
    language,
    t.refusedTitle,
    html`<p class="lead">${t.refusedText}</p><p><a class="button" href="${pathOf('signIn')}">${t.toSignIn}</a></p>
    ${forDevelopers(t.developers, html`<p>The reason: ${reason}.</p>`)}`,
  );
}

/** Details for developers, in English and folded away. */
export const forDevelopers = (title: string, details: Markup): Markup =>
  html`<details><summary>${title}</summary><div lang="en">${details}</div></details>`;

function drawPage(language: Language, title: string, body: Markup): string {
  return html`<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title>
    <link rel="stylesheet" href="/plain.css"><link rel="stylesheet" href="/demo/demo.css"></head>
    <body><main><h1>${title}</h1>${body}</main></body></html>`.toString();
}
