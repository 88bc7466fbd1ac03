import { type ModuleId, roleOf, type RoleId } from '#domain/people/roles.ts';
import { addressHtml, phoneHtml } from '#domain/text/contact-text.ts';
import { html, type Markup } from '#domain/text/html.ts';
import { pathOf } from '#domain/flow/screens.ts';
import type { Texts } from '#locales/catalogue.ts';
import { fill } from '#locales/fill.ts';
import { isLanguage, isTranslated, LANGUAGES } from '#locales/languages.ts';
import type { PersonalExport } from '../people/privacy/export.ts';
import type { SOURCES } from '../accounts/personal-data.ts';
import { surveyOptions } from '../catalog/survey.ts';
import { NAMES } from '../accounts/account-store.ts';
import { deviceText } from '../accounts/device-text.ts';
import { dateText, timeText } from '../notifications/moments.ts';

type Field = keyof Texts['accountData']['fields'];

/** What the page shows of a row. A table without a line is shown by the number of its rows: it is of use to a program. */
export const SHOWN: Readonly<Partial<Record<keyof typeof SOURCES, readonly Field[]>>> = {
  users: [
    ...NAMES,
    'email',
    'email_proven_at',
    'dial_code',
    'mobile',
    'phone_proven_at',
    'language',
    'created_at',
    'activated_at',
    'first_signed_in_at',
    'trial_ends_at',
    'closing_at',
  ],
  user_roles: ['role_id'],
  contact_changes: [
    'contact',
    'email',
    'dial_code',
    'mobile',
    'old_email',
    'old_dial_code',
    'old_mobile',
    'asked_at',
    'changed_at',
  ],
  staff_changes: ['what', 'email', 'dial_code', 'mobile', 'asked_at', 'done_at', 'closed_at'],
  linked_accounts: ['linked_at'],
  registrations: [
    ...NAMES,
    'email',
    'dial_code',
    'mobile',
    'promo_code',
    'created_at',
    'activated_at',
  ],
  survey_answers: ['response_id', 'sub_response', 'created_at'],
  known_devices: ['first_seen_at', 'seen_at'],
  shared_devices: ['name', 'created_at', 'ended_at'],
  consents: ['client_id', 'scopes', 'changed_at'],
  sign_ins: ['browser', 'network', 'created_at', 'ended_at'],
  handoffs: ['module', 'issued_at'],
  otp_codes: ['sent_at', 'verified_at'],
  messages: ['destination', 'sent_at', 'delivered_at', 'failed_at'],
  reset_links: ['created_at', 'used_at'],
  activation_links: ['created_at'],
  inbox_messages: ['recipient', 'subject', 'text', 'sent_at'],
  received_leads: ['lead', 'received_at'],
  helpers: ['email', 'relation', 'asked_at', 'added_at', 'ends_at', 'removed_at'],
  saved_keys: ['name', 'added_at', 'last_used_at', 'removed_at'],
  app_codes: ['added_at', 'confirmed_at', 'removed_at'],
  recovery_codes: ['added_at', 'used_at'],
};

/** Returns all data of a person as a page to read, without anything from elsewhere but the plain style sheet. */
export function dataPage(found: PersonalExport, texts: Texts, timeZone: string | null): string {
  const { language, accountData: t } = texts;
  const sections = Object.entries(found.tables)
    .filter(([, rows]) => rows.length > 0)
    .map(([table, rows]) => {
      const fields = SHOWN[table as keyof typeof SOURCES];
      const content = fields
        ? rows.map((row) => listOf(row, fields, texts, timeZone))
        : html`<p>${fill(t.inFile, { count: rows.length })}</p>`;
      return html`<section><h2>${t.tables[table as keyof typeof SOURCES]}</h2>${content}</section>`;
    });
  const date = dateText(texts, new Date(found.exportedAt), timeZone);
  return html`<!doctype html><html lang="${language}"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${t.title}</title><link rel="stylesheet" href="/plain.css"></head>
    <body><main><h1>${t.title}</h1><p>${fill(t.asOf, { date })}</p>${sections}
    <p><a href="${pathOf('myData')}">${t.back}</a></p></main></body></html>`.toString();
}

type Row = Readonly<Record<string, unknown>>;

function listOf(row: Row, fields: readonly Field[], texts: Texts, timeZone: string | null): Markup {
  const items = fields.flatMap((field) => {
    const text = valueText(field, row[field], texts, timeZone);
    const label = texts.accountData.fields[field];
    return text === '' ? [] : [html`<dt>${label}</dt><dd>${htmlOf(field, text)}</dd>`];
  });
  return html`<dl>${items}</dl>`;
}

/** Addresses and numbers as on the pages, and a message in the lines in which it was sent. */
function htmlOf(field: Field, text: string): Markup {
  if (field === 'text') return html`<pre>${text}</pre>`;
  if (!CONTACTS.has(field)) return html`${text}`;
  return text.includes('@') ? addressHtml(text) : phoneHtml(text);
}

const CONTACTS: ReadonlySet<Field> = new Set([
  'email',
  'mobile',
  'old_email',
  'old_mobile',
  'destination',
  'recipient',
]);

/** Fields whose values are words of ours. */
const WORDS: Readonly<Partial<Record<Field, (value: never, texts: Texts) => string>>> = {
  role_id: (id: RoleId, { roleNames }) => roleNames[id] ?? roleOf(id).key,
  response_id(id: number, { language }) {
    const options = isLanguage(language) ? surveyOptions(language) : [];
    return options.find(({ responseId }) => responseId === id)?.response ?? '';
  },
  contact: contactWords,
  what: contactWords,
  browser: (name: string, texts) => deviceText(texts, name),
  name: (name: string, texts) => deviceText(texts, name),
  module: (id: ModuleId, { demoModules }) => demoModules.modules[id].name,
  language: (code: string) => (isLanguage(code) && isTranslated(code) ? LANGUAGES[code].name : ''),
};

function contactWords(
  contact: keyof Texts['accountData']['contacts'],
  { accountData: { contacts } }: Texts,
): string {
  return contacts[contact];
}

/** Returns a value in words; '' for none. */
function valueText(field: Field, value: unknown, texts: Texts, timeZone: string | null): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) {
    // With the zone's name: several sign-ins of a day differ, also where no zone is configured.
    return `${dateText(texts, value, timeZone)}, ${timeText(texts, value, timeZone ?? 'UTC')}`;
  }
  const words = WORDS[field];
  if (words) return words(value as never, texts);
  if (typeof value === 'object') return Object.values(value).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
