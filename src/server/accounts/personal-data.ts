/** The places of a person's data: every table, once. */

import { type Expression, type Selectable, sql, type SqlBool } from 'kysely';
import { openSurveyText } from './survey-text.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import type { Tables } from '../db/schema.ts';

/** The keys of all rows of one person. */
export type Person = {
  /** The account, and its decoy rows (security R9). */
  readonly ids: readonly number[];
  /** Every address and number that its account or one of its forms had. */
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  /** Browsers in which it signed in, signed up or requested a code. */
  readonly visits: readonly string[];
};

type Source = {
  readonly where: (person: Person) => Expression<SqlBool>;
  /** Secrets, or hashes of them: useless to the person. */
  readonly hidden?: readonly string[];
  /**
   * Decrypts a row for the person.
   * @throws OperatorError when no configured secret can
   */
  readonly open?: (row: never, secretBox: SecretBox) => object;
  /** `cascade`: goes with its account; `rows`: deleted; `own`: see `erase.ts`. */
  readonly erasedBy: 'cascade' | 'rows' | 'own';
};

const anyOf = (column: string, values: readonly (string | number)[]) =>
  values.length === 0
    ? sql<boolean>`false`
    : sql<boolean>`${sql.ref(column)} in (${sql.join(values)})`;

const ofAccount = (column = 'user_id') => ({
  where: ({ ids }: Person) => anyOf(column, ids),
});
const ofProvider = {
  where: ({ ids }: Person) => anyOf('account_id', ids.map(String)),
  erasedBy: 'rows',
} as const;
const ofSignIns = ({ ids }: Person) =>
  sql<boolean>`sign_in_id in (select id from sign_ins where ${anyOf('user_id', ids)})`;

const codesOf = (ids: Person['ids']) =>
  sql`(select id from otp_codes where ${anyOf('user_id', ids)})`;

/** Tables with data of persons. */
export const SOURCES = {
  users: { where: ({ ids }) => anyOf('id', ids), hidden: ['password_hash'], erasedBy: 'own' },
  user_roles: { ...ofAccount(), erasedBy: 'cascade' },
  house_administrators: { ...ofAccount(), erasedBy: 'cascade' },
  name_keys: { ...ofAccount(), erasedBy: 'cascade' },
  contact_changes: { ...ofAccount(), hidden: ['undo_key_hash'], erasedBy: 'cascade' },
  staff_changes: {
    ...ofAccount(),
    hidden: ['link_key_hash', 'stop_key_hash'],
    erasedBy: 'cascade',
  },
  // Also an ask that waits: it names the address of its reader.
  helpers: {
    where: ({ ids, emails }) =>
      sql`id in (select id from helpers where ${anyOf('member_id', ids)}
        union all select id from helpers where ${anyOf('helper_id', ids)}
        union all select id from helpers where added_at is null and ${anyOf('email_canonical', emails)})`,
    erasedBy: 'rows',
  },
  // Those that the person accepted. One that waits is gone after seven days: erased before, it would tell its house that
  // the address had an account.
  invitations: {
    where: ({ emails }) =>
      sql<boolean>`(answer = 'accepted' and ${anyOf('email_canonical', emails)})`,
    hidden: ['key_hash', 'sent_by'],
    erasedBy: 'rows',
  },
  linked_accounts: {
    where: ({ ids }) => sql`(${anyOf('user_id', ids)} or ${anyOf('primary_id', ids)})`,
    erasedBy: 'cascade',
  },
  organisation_links: { ...ofAccount(), erasedBy: 'cascade' },
  organisation_sign_ins: {
    where: ({ visits }) => anyOf('visit_id', visits),
    hidden: ['state_hash', 'nonce', 'code_verifier'],
    erasedBy: 'rows',
  },
  registrations: { ...ofAccount(), hidden: ['password_hash'], erasedBy: 'cascade' },
  survey_answers: {
    // Two look-ups: an "or" over both columns would scan the whole table.
    where: ({ ids }) =>
      sql`id in (select id from survey_answers where ${anyOf('user_id', ids)}
        union all select id from survey_answers where registration_id in
          (select id from registrations where ${anyOf('user_id', ids)}))`,
    hidden: ['sealed_text'],
    open: (row: Selectable<Tables['survey_answers']>, secretBox: SecretBox) => ({
      sub_response: openSurveyText(secretBox, row),
    }),
    erasedBy: 'cascade',
  },
  known_devices: { ...ofAccount(), hidden: ['device_hash'], erasedBy: 'cascade' },
  // Those that a staff member switched on; they outlive the account.
  shared_devices: {
    ...ofAccount('switched_on_by'),
    hidden: ['token_hash', 'visit_id'],
    erasedBy: 'cascade',
  },
  // The public parts: the private ones are on the person's devices.
  saved_keys: { ...ofAccount(), hidden: ['shown_in'], erasedBy: 'cascade' },
  key_owners: { ...ofAccount(), erasedBy: 'cascade' },
  key_challenges: { ...ofAccount(), hidden: ['challenge'], erasedBy: 'cascade' },
  consents: { ...ofAccount(), erasedBy: 'cascade' },
  sign_ins: { ...ofAccount(), hidden: ['app_state'], erasedBy: 'cascade' },
  handoffs: { where: ofSignIns, erasedBy: 'cascade' },
  otp_codes: {
    ...ofAccount(),
    hidden: ['code_hmac', 'phone_code_hmac'],
    erasedBy: 'cascade',
  },
  app_codes: { ...ofAccount(), hidden: ['secret'], erasedBy: 'cascade' },
  recovery_codes: {
    where: ({ ids }) =>
      sql`app_code_id in (select id from app_codes where ${anyOf('user_id', ids)})`,
    hidden: ['hash'],
    erasedBy: 'cascade',
  },
  messages: {
    // Two look-ups, as above.
    where: ({ ids }) =>
      sql`id in (select id from messages where otp_id in ${codesOf(ids)}
        union all select id from messages where called_otp_id in ${codesOf(ids)})`,
    hidden: ['provider_ref'],
    erasedBy: 'cascade',
  },
  reset_links: { ...ofAccount(), hidden: ['key_hash'], erasedBy: 'cascade' },
  activation_links: { ...ofAccount(), hidden: ['key_hash'], erasedBy: 'cascade' },
  visits: {
    where: ({ visits }) => anyOf('id', visits),
    hidden: ['token_hash', 'previous_hash'],
    erasedBy: 'own',
  },
  page_codes: {
    where: ({ visits }) => anyOf('visit_id', visits),
    hidden: ['code'],
    erasedBy: 'rows',
  },
  client_requests: {
    where: ({ visits }) => anyOf('visit_id', visits),
    hidden: ['interaction'],
    erasedBy: 'rows',
  },
  hosted_payloads: { ...ofProvider, hidden: ['id', 'payload', 'grant_id', 'uid', 'user_code'] },
  hosted_tickets: { ...ofProvider, hidden: ['hash', 'co_id_hash'] },
  hosted_challenges: { ...ofProvider, hidden: ['hash', 'handle'] },
  inbox_messages: {
    where: ({ emails, phones }) => anyOf('recipient', [...emails, ...phones]),
    erasedBy: 'rows',
  },
  received_leads: {
    where: ({ emails }) =>
      emails.length === 0
        ? sql`false`
        : sql`lower(lead ->> 'email') in (${sql.join(emails.map((each) => each.toLowerCase()))})`,
    erasedBy: 'rows',
  },
  audit_events: { ...ofAccount(), hidden: ['hash', 'subject'], erasedBy: 'own' },
} as const satisfies Record<string, Source>;

type Table = keyof Tables | 'hosted_challenges' | 'kysely_migration' | 'kysely_migration_lock';

/**
 * Tables that are neither exported nor deleted one by one, with the reason. A table with a `user_id` belongs in
 * `SOURCES`.
 */
export const LEFT_OUT: Readonly<Record<Exclude<Table, keyof typeof SOURCES>, string>> = {
  outbox:
    'Encrypted; what waits or was given up is read, told by its kind, and deleted. What is done is empty.',
  limits: 'Keyed hashes with an end within a day; those of the account are deleted.',
  authorizations: 'One-time secrets of a sign-in, which they go with.',
  auth_tokens: 'Hashes of the tokens of a sign-in, which they go with.',
  reset_handles: 'One-time secrets of a reset link, which they go with.',
  activation_visits: 'Which browser opened an activation link; goes with both.',
  answered_forms: 'Sealed under what was sent, and gone within the hour.',
  captcha_solutions: 'Proofs of work of a visit, which they go with.',
  key_domain: 'Settings.',
  audit_seals: 'Hashes over the audit log.',
  audit_keys: 'A key of the server.',
  server_keys: 'Keys of the server.',
  demo_module_keys: 'Keys of the demo.',
  names_to_fold: 'Ids, for a minute.',
  subtenants: 'Settings.',
  organisations: 'Settings.',
  organisation_domains: 'Settings.',
  house_roles: 'Settings.',
  house_looks: 'Settings.',
  logos: 'Pictures of subtenants.',
  promo_codes: 'Settings and counts.',
  clients: 'Settings of other applications.',
  kysely_migration: 'The state of the schema.',
  kysely_migration_lock: 'The state of the schema.',
};
