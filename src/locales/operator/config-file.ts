/** What an operator reads of faults in `porchlight.json`; each stands behind the place in the file. */
export const configFile = {
  noObject: 'must be an object, in braces',
  noText: 'must be a text in quotes',
  noNumber: 'must be a number, without quotes',
  noSwitch: 'must be true or false',
  noList: 'must be a list of texts without commas: ["…", "…"]',
  secret: 'is a secret and may not stand in this file. Put it into the environment as {name}.',
  password:
    'holds a password, and this file may not. Put all of it into the environment as {name}.',
  unknown: 'There is no such setting.',
  guess: 'Did you mean {path}?',
  allowed: 'Here may stand: {names}.',
  orEnvironment: '{path} (or {name} in the environment)',
} as const;
