import { commands as texts, type VerbName, verbs } from '#locales/en/commands.ts';
import { type Command, output, wrongUsage } from './command.ts';

const names = Object.keys(verbs) as VerbName[];
const isVerb = (name: string): name is VerbName => Object.hasOwn(verbs, name);

/** `porchlight help [VERB]` */
export const help: Command = (words) => {
  const [name, ...rest] = words;
  if (name === undefined) return async () => output(overview(), names.map(dataOf));
  if (!isVerb(name) || rest.length > 0) throw wrongUsage('help');
  return async () => output(helpOn(name), dataOf(name));
};

/** Every verb in a line. */
export function overview(): readonly string[] {
  const width = Math.max(...names.map((name) => name.length)) + 2;
  return [
    texts.intro,
    '',
    texts.overview,
    '',
    ...names.map((name) => `  ${name.padEnd(width)}${verbs[name].summary}`),
    '',
    texts.more,
    texts.every,
    texts.exits,
  ];
}

function helpOn(name: VerbName): readonly string[] {
  const { summary, usage, example, json, ...rest } = verbs[name];
  const notes: readonly string[] = 'notes' in rest ? rest.notes : [];
  return [
    `porchlight ${name}: ${summary}`,
    '',
    texts.usage,
    ...usage.map((line) => `  porchlight ${line}`),
    ...(notes.length > 0 ? ['', ...notes] : []),
    '',
    texts.example,
    `  porchlight ${example}`,
    '',
    texts.json,
    `  ${json}`,
    '',
    texts.settings,
    texts.exits,
  ];
}

const dataOf = (name: VerbName) => ({ name, ...verbs[name] });

/** What can follow a verb: the words of its usage lines that are typed as they stand, and its options. */
function wordsAfter(name: VerbName): readonly string[] {
  const text = verbs[name].usage.join('\n');
  const fixed = verbs[name].usage.flatMap(
    (line) => /^[\w-]+ ([a-z][a-z-]*)(?: |$)/.exec(line)?.[1] ?? [],
  );
  const uses = [...text.matchAll(/\[([a-z]+\d*)\]/g)].map(([, word = '']) => word);
  const options = text.match(/--[a-z-]+/g) ?? [];
  const isHelp = name === 'help' ? names : [];
  return [...new Set([...fixed, ...uses, ...isHelp, ...options, '--help', '--json'])];
}

const SHELLS: Readonly<Record<string, () => string>> = { bash, zsh };

/** `porchlight completion bash|zsh` */
export const completion: Command = (words) => {
  const [shell = '', ...rest] = words;
  const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (!write || rest.length > 0) throw wrongUsage('completion');
  const script = write();
  return async () => ({ text: script, data: { script } });
};

const cases = (then: (words: string) => string) =>
  names.map((name) => `    ${name}) ${then(wordsAfter(name).join(' '))} ;;`).join('\n');

function bash(): string {
  return `_porchlight() {
  local words=''
  if [ "$COMP_CWORD" -eq 1 ]; then words='${names.join(' ')} --help'; else
  case "\${COMP_WORDS[1]}" in
${cases((words) => `words='${words}'`)}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _porchlight porchlight
`;
}

function zsh(): string {
  return `#compdef porchlight
_porchlight() {
  if (( CURRENT == 2 )); then compadd -- ${names.join(' ')} --help; return; fi
  case "$words[2]" in
${cases((words) => `compadd -- ${words}`)}
  esac
}
compdef _porchlight porchlight
`;
}
