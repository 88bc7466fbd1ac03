/** The page with all data of a person. */
export const accountData = {
  title: 'Your data',
  asOf: 'This is what we know of you on {date}.',
  back: 'Back to My account',
  /** A heading for each table; the names of the fields stay as they are stored. */
  tables: {
    users: 'Your account',
    user_roles: 'What your account may do',
    contact_changes: 'Changes of your email and phone',
    linked_accounts: 'Accounts that belong together',
    registrations: 'Your sign-up',
    survey_answers: 'Your answers',
    known_devices: 'Browsers we know',
    consents: 'Apps you allowed',
    sign_ins: 'Your sign-ins',
    handoffs: 'Apps you opened',
    otp_codes: 'Codes we sent, without the digits',
    messages: 'Messages with a code',
    reset_links: 'Links for a new password',
    activation_links: 'Links of your sign-up',
    visits: 'Visits of your browsers',
    client_requests: 'Sign-ins that apps asked for',
    hosted_payloads: 'Sessions with apps',
    inbox_messages: 'Mails and texts',
    received_leads: 'What we told our partner',
    audit_events: 'What happened',
  },
} as const;
