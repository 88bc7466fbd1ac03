/** Settings that belong together: a part of them would be ignored in silence. */
const GROUPS = [
  ['SMS_WEBHOOK_URL', 'SMS_WEBHOOK_KEY'],
  ['VOICE_WEBHOOK_URL', 'VOICE_WEBHOOK_KEY'],
  ['CRM_URL', 'CRM_KEY'],
  ['PORCHLIGHT_EVENTS_URL', 'PORCHLIGHT_EVENTS_SECRET'],
  ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
  ['MAIL_DKIM_DOMAIN', 'MAIL_DKIM_SELECTOR', 'MAIL_DKIM_KEY_FILE'],
] as const;

/** Needs another setting beside it. */
const NEEDS = [
  ['TWILIO_WHATSAPP_FROM', 'TWILIO_ACCOUNT_SID'],
  ['TWILIO_VOICE_FROM', 'TWILIO_ACCOUNT_SID'],
  // The endpoint signs with it when it asks for the code.
  ['VOICE_WEBHOOK_URL', 'RECEIPTS_KEY'],
  ['TWILIO_WHATSAPP_CONTENT_SID', 'TWILIO_WHATSAPP_FROM'],
  ['MAIL_ENVELOPE_FROM', 'SMTP_URL'],
  ['MAIL_DKIM_DOMAIN', 'SMTP_URL'],
] as const;

/** Faults of settings that do not go together, looked at as given; `called`: how the operator names a setting. */
export function deliveryFaults(given: NodeJS.ProcessEnv, called: (name: string) => string) {
  const halves = GROUPS.flatMap((group) => {
    const first = group.find((name) => given[name]);
    const missing = group.filter((name) => !given[name]);
    return first ? missing.map((name) => `${called(name)} is required with ${called(first)}`) : [];
  });
  const lonely = NEEDS.filter(([name, other]) => given[name] && !given[other]).map(
    ([name, other]) => `${called(other)} is required with ${called(name)}`,
  );
  const twice = [
    ['texts', 'SMS_WEBHOOK_URL', 'TWILIO_ACCOUNT_SID'],
    ['calls', 'VOICE_WEBHOOK_URL', 'TWILIO_VOICE_FROM'],
  ].flatMap(([what, ...ways]) =>
    ways.every((name) => given[name])
      ? [`${ways.map((name) => called(name)).join(' and ')} are two ways for ${what}: choose one`]
      : [],
  );
  const isReachable = given.PORCHLIGHT_PUBLIC_URL?.startsWith('https://');
  return [
    ...halves,
    ...lonely,
    ...twice,
    ...(given.TWILIO_VOICE_FROM && !isReachable
      ? [
          `${called('TWILIO_VOICE_FROM')} needs an https address in ${called('PORCHLIGHT_PUBLIC_URL')}`,
        ]
      : []),
  ];
}
