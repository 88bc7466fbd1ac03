import type { ColumnType, Generated } from 'kysely';
import type { DeliveryReason, DeliveryState } from '#domain/proofs/delivery.ts';
import type { CodeType, Contact, MessageChannel } from '#domain/proofs/otp.ts';
import type { InteractionStep, SignInStage } from '#domain/flow/visit.ts';
import type { Entrance } from '#domain/people/role-routing.ts';
import type { ClientEntry } from '../config/client-file.ts';

type Json<T> = ColumnType<T, string, string>;
/** Empty until it is written. */
type JsonObject = ColumnType<Record<string, unknown>, string | undefined, string>;
/**
 * The id of the one thing that a proof is about: a proof without it does not compile (PRF-24). `null`: a row of the
 * previous release.
 */
type Subject = ColumnType<string | null, string, never>;

/** The use of a signing key. */
export type KeyUse = 'es256' | 'rs256' | 'cookies' | 'handoff';

/** Who ended a helper. `reset`: an undo or a reset by mail. `account`: one of the two accounts ended. */
export type HelpEndedBy = 'member' | 'helper' | 'reset' | 'account' | 'operator';

/** How a link to a person of an organisation began. */
export type LinkMaker = 'account' | 'invitation' | 'scim';

/** What a sign-in at an organisation is for. */
export type UpstreamPurpose = 'signIn' | 'link' | 'invitation';

export type UserStatus = 'pending' | 'active' | 'inactive';

/** Sessions, codes and tokens of the embedded provider. */
export type ProviderTables = {
  hosted_payloads: {
    model: string;
    id: string;
    payload: ColumnType<Record<string, unknown>, string, string>;
    grant_id: string | null;
    uid: string | null;
    user_code: string | null;
    account_id: string | null;
    expires_at: Date | null;
    consumed_at: Date | null;
  };
  hosted_tickets: {
    hash: string;
    account_id: string;
    client_id: string;
    co_id_hash: string;
    expires_at: Date;
  };
};

/** What a person types: the columns that `users` and `registrations` share. */
export type PersonColumns = {
  email: string;
  first_name: string;
  last_name: string;
  dial_code: string;
  mobile: string;
};

/** The tables of `migrations/*.sql`, as kysely sees them. */
export type Tables = ProviderTables & {
  subtenants: {
    id: number;
    name: string;
    logo_path: string;
    accent: string | null;
    is_active: Generated<boolean>;
    language: Generated<string | null>;
    /** The hours of its help phone; `null`: those of the service. */
    help_hours: Generated<string | null>;
  };
  /** `content`: the file in base64. */
  logos: { file: string; content: string; added_at: Date };
  visits: {
    id: string;
    token_hash: string;
    subtenant_id: number | null;
    created_at: Date;
    seen_at: Date;
    unverified_user_id: Generated<number | null>;
    previous_hash: Generated<string | null>;
    previous_until: Generated<Date | null>;
  };
  page_codes: {
    visit_id: string;
    code: string;
    screen: string;
    sign_in_id: string | null;
    made_at: Date;
    expires_at: Date;
  };
  users: PersonColumns & {
    id: number;
    email_canonical: string;
    password_hash: string | null;
    status: UserStatus;
    sign_up_platform: number;
    subtenant_id: number;
    created_at: Date;
    activated_at: Date | null;
    trial_ends_at: Date | null;
    hosted_user_id: Generated<string | null>;
    hosted_job_id: Generated<string | null>;
    user_metadata: JsonObject;
    app_metadata: JsonObject;
    updated_at: Generated<Date | null>;
    shadow_of: Generated<number | null>;
    trial_told: Generated<number | null>;
    email_proven_at: Generated<Date | null>;
    phone_proven_at: Generated<Date | null>;
    mail_codes_only: Generated<boolean>;
    first_signed_in_at: Generated<Date | null>;
    imported_at: Generated<Date | null>;
    external_id: Generated<string | null>;
    recovery_since: Generated<Date | null>;
    closing_at: Generated<Date | null>;
    display: Generated<string | null>;
    display_at: Generated<Date | null>;
    language: Generated<string | null>;
  };
  name_keys: { user_id: number; subtenant_id: number; key: string; words: string };
  names_to_fold: { id: Generated<number>; account: number; not_before: Date | null };
  contact_changes: {
    id: string;
    user_id: number;
    sign_in_id: string | null;
    contact: Contact;
    email: string;
    dial_code: string;
    mobile: string;
    asked_at: Date;
    changed_at: Generated<Date | null>;
    undo_until: Generated<Date | null>;
    undo_key_hash: Generated<string | null>;
    closed_at: Generated<Date | null>;
    old_email: Generated<string>;
    old_email_canonical: Generated<string>;
    old_email_proven_at: Generated<Date | null>;
    old_dial_code: Generated<string>;
    old_mobile: Generated<string>;
    old_phone_proven_at: Generated<Date | null>;
    old_mail_codes_only: Generated<boolean>;
  };
  staff_changes: {
    id: string;
    user_id: number;
    what: 'email' | 'phone' | 'key' | 'appCode';
    email: string;
    dial_code: string;
    mobile: string;
    credential_id: string | null;
    asked_by: number;
    asked_at: Date;
    link_key_hash: string;
    opened_at: Generated<Date | null>;
    agreed_by: Generated<number | null>;
    due_at: Generated<Date | null>;
    stop_key_hash: Generated<string | null>;
    with_person: Generated<boolean>;
    with_operator: Generated<boolean>;
    done_at: Generated<Date | null>;
    closed_at: Generated<Date | null>;
  };
  helpers: {
    id: string;
    member_id: number;
    helper_id: Generated<number | null>;
    email: string;
    email_canonical: string;
    relation: string;
    asked_at: Date;
    added_at: Generated<Date | null>;
    ends_at: Date;
    end_told_at: Generated<Date | null>;
    removed_at: Generated<Date | null>;
    removed_by: Generated<HelpEndedBy | null>;
  };
  shared_devices: {
    id: string;
    subtenant_id: number;
    name: string;
    token_hash: string;
    switched_on_by: number | null;
    created_at: Date;
    seen_at: Date;
    ended_at: Generated<Date | null>;
    visit_id: Generated<string | null>;
    started_at: Generated<Date | null>;
    clears_at: Generated<Date | null>;
  };
  known_devices: {
    user_id: number;
    device_hash: string;
    first_seen_at: Date;
    seen_at: Date;
    staff_entrance_at: Generated<Date | null>;
  };
  saved_keys: {
    credential_id: string;
    user_id: number;
    public_key: string;
    counter: number;
    transports: string[];
    is_syncable: boolean;
    is_synced: boolean;
    aaguid: string;
    name: string;
    rp_id: string;
    needs_code: Generated<boolean>;
    shown_in: Generated<string | null>;
    added_at: Date;
    last_used_at: Generated<Date | null>;
    removed_at: Generated<Date | null>;
  };
  key_owners: {
    user_id: number;
    handle: string;
    offers: Generated<number>;
    offered_at: Generated<Date | null>;
  };
  key_challenges: {
    challenge: string;
    visit_id: string;
    purpose: string;
    subject: Subject;
    user_id: number | null;
    expires_at: Date;
  };
  key_domain: {
    is_only: Generated<boolean>;
    rp_id: Generated<string | null>;
    restored_at: Generated<Date | null>;
  };
  linked_accounts: { user_id: number; primary_id: number; linked_at: Date };
  user_roles: {
    user_id: number;
    role_id: number;
    given_by: Generated<number | null>;
    given_at: Generated<Date | null>;
  };
  house_administrators: {
    user_id: number;
    subtenant_id: number;
    given_by: number | null;
    given_at: Date;
  };
  house_roles: { subtenant_id: number; role_id: number };
  house_looks: {
    subtenant_id: number;
    logo_path: string;
    accent: string | null;
    language: Tables['subtenants']['language'];
    help_hours: Tables['subtenants']['help_hours'];
    kept_at: Date;
  };
  organisations: {
    id: string;
    subtenant_id: number;
    label: string;
    issuer: string;
    client_id: string;
    client_secret: string;
    secret_ends_at: Date | null;
    subject_claim: 'sub' | 'oid';
    hosted_domain: string | null;
    role_ids: number[];
    second_factor: 'ours' | 'theirs';
    amr_values: string[];
    acr_values: string[];
    /** Seconds. */
    max_auth_age_seconds: number | null;
    opens_console: boolean;
    is_only: boolean;
    help_name: string | null;
    help_number: string | null;
    bearer_hash: Generated<string | null>;
    bearer_made_at: Generated<Date | null>;
    role_map: Json<Record<string, number>>;
    is_on: boolean;
    created_at: Date;
    changed_at: Date;
  };
  organisation_domains: { domain: string; organisation_id: string };
  organisation_links: {
    issuer: string;
    subject: string;
    organisation_id: string;
    user_id: number;
    shown_name: string;
    made_by: LinkMaker;
    made_at: Date;
    ended_at: Generated<Date | null>;
    off_at: Generated<Date | null>;
    is_off_by_staff: Generated<boolean>;
    scim_id: Generated<string | null>;
    scim_role_ids: Generated<number[]>;
    offered_at: Generated<Date | null>;
    agreed_at: Generated<Date | null>;
  };
  organisation_sign_ins: {
    state_hash: string;
    organisation_id: string;
    visit_id: string;
    purpose: UpstreamPurpose;
    about: string;
    nonce: string;
    code_verifier: string;
    expires_at: Date;
    subject: Generated<string | null>;
    shown_name: Generated<string | null>;
    used_at: Generated<Date | null>;
  };
  registrations: PersonColumns & {
    id: string;
    visit_id: string | null;
    user_id: number;
    password_hash: string | null;
    role_id: number;
    subtenant_id: number;
    promo_code: string | null;
    mode: string;
    created_at: Date;
    completed_at: Date | null;
    activated_at: Generated<Date | null>;
    by_mail_only: Generated<boolean>;
  };
  invitations: {
    id: number;
    subtenant_id: number;
    sent_by: number;
    email: string;
    email_canonical: string;
    first_name: string;
    last_name: string;
    role_id: number;
    key_hash: string | null;
    sent_at: Date;
    expires_at: Date;
    answer: Generated<'accepted' | 'declined' | null>;
  };
  reset_links: {
    id: string;
    key_hash: string;
    user_id: number;
    subtenant_id: number;
    created_at: Date;
    expires_at: Date;
    used_at: Date | null;
    client_id: Generated<string | null>;
    request_id: Generated<string | null>;
    result_url: Generated<string | null>;
    proves_mail: Generated<boolean>;
    older_proof_at: Generated<Date | null>;
  };
  reset_handles: {
    id: string;
    link_id: string;
    visit_id: string;
    tries: Generated<number>;
    created_at: Date;
  };
  answered_forms: {
    id: string;
    expires_at: Date;
    answer: string | null;
    /** The request that runs it. */
    owner: string | null;
  };
  captcha_solutions: {
    id: string;
    visit_id: string;
    purpose: string;
    expires_at: Date;
    spent_at: Date | null;
  };
  activation_links: {
    id: string;
    key_hash: string;
    user_id: number;
    registration_id: string;
    visit_id: string | null;
    created_at: Date;
    expires_at: Date;
  };
  activation_visits: { link_id: string; visit_id: string; opened_at: Date };
  survey_answers: {
    id: string;
    user_id: number | null;
    registration_id: Generated<string | null>;
    subject_id: number;
    response_id: number;
    /** Always empty: `sealed_text` has the text (decision 120). */
    sub_response: string;
    sealed_text: string | null;
    created_at: Date;
  };
  promo_codes: {
    code: string;
    valid_until: Date | null;
    max_uses: number | null;
    used: Generated<number>;
  };
  sign_ins: {
    id: string;
    app_state: string;
    visit_id: string;
    user_id: number | null;
    entrance: Entrance;
    stage: SignInStage | 'ended';
    amr: Generated<string[]>;
    created_at: Date;
    verified_at: Date | null;
    completed_at: Date | null;
    seen_at: Date;
    ended_at: Date | null;
    hosted_sub: Generated<string | null>;
    hosted_sid: Generated<string | null>;
    hosted_auth_time: Generated<number | null>;
    browser: Generated<string | null>;
    network: Generated<string | null>;
    hosted_uid: Generated<string | null>;
    stepped_up_at: Generated<Date | null>;
  };
  authorizations: {
    state: string;
    sign_in_id: string;
    nonce: string;
    code_verifier: string;
    expires_at: Date;
    used_at: Date | null;
  };
  auth_tokens: { token_hash: string; sign_in_id: string; expires_at: Date };
  otp_codes: {
    id: string;
    visit_id: string;
    user_id: number;
    registration_id: string | null;
    sign_in_id: string | null;
    type: CodeType;
    subject: Subject;
    medium: number;
    code_hmac: string;
    phone_code_hmac: Generated<string | null>;
    tries: Generated<number>;
    sent_at: Date;
    expires_at: Date;
    verified_at: Date | null;
    proven: Generated<Contact | null>;
    closed_at: Date | null;
    counted: ColumnType<
      readonly { readonly key: string; readonly until: string }[],
      string | undefined,
      never
    >;
  };
  app_codes: {
    id: string;
    user_id: number;
    sign_in_id: Generated<string | null>;
    secret: string;
    last_step: Generated<number>;
    added_at: Date;
    confirmed_at: Generated<Date | null>;
    removed_at: Generated<Date | null>;
  };
  recovery_codes: {
    app_code_id: string;
    hash: string;
    added_at: Date;
    used_at: Generated<Date | null>;
  };
  handoffs: {
    jti: string;
    sign_in_id: string;
    module: string;
    role_id: number;
    role_ids: number[];
    issued_at: Date;
    expires_at: Date;
    redeemed_at: Date | null;
  };
  server_keys: {
    kid: string;
    key_use: KeyUse;
    generation: number;
    sealed: string;
    created_at: Date;
    signs_from: Date;
    ends_at: Date | null;
  };
  demo_module_keys: { kid: string; purpose: string; sealed: string; created_at: Date };
  outbox: {
    id: string;
    kind: string;
    payload: Json<Record<string, unknown>>;
    idempotency_key: string;
    created_at: Date;
    run_at: Date;
    attempts: Generated<number>;
    locked_until: Date | null;
    expires_at: Date | null;
    give_up_at: Date | null;
    done_at: Date | null;
    dead_at: Date | null;
    last_error: string | null;
  };
  messages: {
    id: string;
    idempotency_key: string;
    otp_id: string | null;
    called_otp_id: Generated<string | null>;
    channel: MessageChannel;
    destination: string;
    state: DeliveryState;
    reason: DeliveryReason | null;
    has_receipts: Generated<boolean>;
    provider_ref: Generated<string | null>;
    subtenant_id: Generated<number | null>;
    queued_at: Date;
    sent_at: Generated<Date | null>;
    delivered_at: Generated<Date | null>;
    failed_at: Generated<Date | null>;
  };
  inbox_messages: {
    id: string;
    idempotency_key: string;
    channel: string;
    recipient: string;
    subject: string;
    text: string;
    html: string | null;
    code: string | null;
    link: string | null;
    sent_at: Date;
  };
  received_leads: {
    idempotency_key: string;
    lead: Json<Record<string, unknown>>;
    received_at: Date;
  };
  clients: { id: string; definition: Json<ClientEntry>; changed_at: Date };
  client_requests: {
    id: string;
    visit_id: string;
    interaction: string;
    client_id: string;
    step: InteractionStep;
    is_fresh: boolean;
    scopes: string[];
    login_hint: string | null;
    subtenant_id: number | null;
    created_at: Date;
    expires_at: Date;
    ended_at: Date | null;
    result_url: Generated<string | null>;
  };
  consents: { user_id: number; client_id: string; scopes: string[]; changed_at: Date };
  limits: { key: string; points: number; expires_at: Date; locks: Generated<number> };
  audit_events: {
    id: Generated<number>;
    at: Date;
    kind: string;
    user_id: number | null;
    visit_id: string | null;
    ip: string | null;
    details: Json<Record<string, unknown>>;
    request_id: Generated<string | null>;
    subtenant_id: Generated<number | null>;
    actor: Generated<string | null>;
    outcome: Generated<'success' | 'failure' | null>;
    reason: Generated<string | null>;
    seal: Generated<number | null>;
    hash: Generated<string | null>;
    subject: Generated<string | null>;
    network: Generated<string | null>;
  };
  audit_seals: {
    seq: number;
    row_count: number;
    last_hash: string;
    newest_at: Date;
    sealed_at: Date;
    mac: string;
    cleared_at: Generated<Date | null>;
    cleared_mac: Generated<string | null>;
  };
  audit_keys: { id: number; sealed: string; created_at: Date };
};
