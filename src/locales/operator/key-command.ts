/** What an operator reads of `porchlight keys`. */
export const keyCommand = {
  unknown: 'There is no key {kid}. See: porchlight keys list',
  stillSigns:
    'The key {kid} signs at present. Put another one in its place first (porchlight keys rotate --now), and wait until that one signs.',
  next: 'signs from {signsFrom}',
  signs: 'signs since {signsFrom}',
  signsUntil: 'signs since {signsFrom}, verifies until {endsAt}',
  verifies: 'verifies until {endsAt}',
  over: 'over since {endsAt}',
  header: ['use', 'key', 'state', 'secret'],
  earlierSecret: 'an earlier one',
  badUse: '{word} is no use of a key. There are: {uses}',
  noKeys: 'There are no keys yet. They are made at the first start.',
  rotated:
    'Published the next keys. Running instances take them over by themselves; no restart, nobody is signed out.',
  retired:
    'The key {kid} ({use}) is gone. Within half a minute no instance accepts what it signed.',
  resealed: 'Sealed anew under PORCHLIGHT_SECRET: {count}. Already so: {fresh}.',
  sealLost:
    'Opens with none of the secrets: {lost}. Keep PORCHLIGHT_PREVIOUS_SECRETS as it was and look for the missing one.',
  sealDone:
    'Nothing needs PORCHLIGHT_PREVIOUS_SECRETS any more, once all instances run with the new secret.',
} as const;
