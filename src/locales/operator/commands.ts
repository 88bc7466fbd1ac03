/** Texts of the command line about itself. Its words are declared in `verbs.ts`. */
export const commands = {
  intro: 'porchlight: runs an installation of Porchlight and looks after it.',
  overviewMore: 'porchlight --help lists all verbs.',
  words: 'VERB [WORDS]',
  subWords: 'WORD ...',
  version: 'prints the version',
  helpOption: 'prints this help',
  jsonOption: 'prints JSON, for programs',
  settingsOption: 'the file with the settings',
  more: 'porchlight help VERB tells more of each, with an example.',
  every:
    'Every verb takes --help and --json. With --json a list is one JSON object a line, and anything else one object. A refusal is one object on the error stream.',
  exits: 'Exit codes: 0 done, 1 refused or a fault was found, 2 wrong usage.',
  settings:
    'The settings are read from the environment. Before it comes the file that --settings FILE names, or porchlight.env of the working directory. Before both, porchlight.json is read, of the working directory or where PORCHLIGHT_CONFIG says. With PostgreSQL every verb works beside running servers; the embedded database belongs to one process.',
  noShell: 'There is no completion for {shell}: porchlight completion bash, or zsh.',
  noHelp: 'There is no verb {words}. porchlight --help lists all verbs.',
  noSettings: '--settings needs the name of a file.',
  badSettings: '{file} cannot be read: {reason}',
  guess: '(Did you mean {name}?)',
  usage: 'Usage:',
  moreOf: 'More: porchlight help {name}',
  example: 'Example:',
  json: 'With --json:',
  progress: '{count} {unit} {percent}',
} as const;
