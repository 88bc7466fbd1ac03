/** What an operator reads of settings that are no fault and still worth a look; at the start, and of `porchlight config check`. */
export const configCommand = {
  fault: 'FAULT: {text}',
  warning: 'Warning: {text}',
  good: 'No faults. Warnings: {count}.',
  faults: 'Faults: {count}. The server would not start.',
  unknown: '{name} is no setting. {guess}docs/configuration.md lists them.',
  guess: 'Did you mean {name}?',
  missingModules: '{name} has no {ids}: whoever has a role there cannot be handed on.',
  behindProxy:
    '{proxies} is none and {host} is this machine only: whoever comes through a proxy here shares its address and its limits. Name the proxy.',
  noTexts: 'Neither TWILIO_ACCOUNT_SID nor SMS_WEBHOOK_URL is set: codes go by mail alone.',
  timer:
    'must be a whole number from {least} to {most}: it may be shorter than the security rules ask for, not longer',
  appCodesOff:
    'Codes from an app are off, although PORCHLIGHT_APP_CODES is on: with an Auth0 tenant the tenant asks for them.',
} as const;
