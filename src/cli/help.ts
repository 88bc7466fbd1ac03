import { commands as texts, type VerbName, verbs } from '#locales/operator/commands.ts';
import { type Command, output, subVerbsOf, TYPED, usageOf, verbOf, wrongUsage } from './command.ts';

const names = Object.keys(verbs) as VerbName[];

/** `porchlight help [VERB [SUB-VERB]]` */
export const help: Command = (words) => {
  const [typed, subVerb, ...rest] = words;
  if (typed === undefined) return async () => output(overview(), names.map(dataOf));
  const name = verbOf(typed);
  if (name === null) throw wrongUsage('help');
  const isSubVerb = subVerb === undefined || subVerbsOf(name).includes(subVerb);
  if (!isSubVerb || rest.length > 0) throw wrongUsage('help');
  return async () => output(helpOn(name, subVerb), dataOf(name));
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

function helpOn(name: VerbName, subVerb?: string): readonly string[] {
  const { summary, usage: _, example, json, ...rest } = verbs[name];
  const isExample = subVerb === undefined || example.startsWith(`${name} ${subVerb} `);
  const notes: readonly string[] = 'notes' in rest ? rest.notes : [];
  return [
    `porchlight ${name}: ${summary}`,
    '',
    texts.usage,
    ...usageOf(name, subVerb).map((line) => `  porchlight ${line}`),
    ...(notes.length > 0 ? ['', ...notes] : []),
    ...(isExample ? ['', texts.example, `  porchlight ${example}`] : []),
    '',
    texts.json,
    `  ${json}`,
    '',
    texts.settings,
    texts.exits,
  ];
}

const dataOf = (name: VerbName) => ({ name, ...verbs[name] });

/** What can follow a verb, or one of its sub-verbs: words that are typed as they stand, and options. */
function wordsAfter(name: VerbName, subVerb?: string): string {
  const text = usageOf(name, subVerb).join('\n');
  const fixed = subVerb === undefined ? subVerbsOf(name) : [];
  const uses = [...text.matchAll(/\[([a-z]+\d*)\]/g)].map(([, word = '']) => word);
  const options = text.match(/--[a-z-]+/g) ?? [];
  const isHelp = name === 'help' ? TYPED : [];
  const every = ['--help', '--json', '--settings'];
  return [...new Set([...fixed, ...uses, ...isHelp, ...options, ...every])].join(' ');
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
  TYPED.flatMap((typed) => {
    const name = verbOf(typed);
    if (name === null) return [];
    return [
      ...subVerbsOf(name).map(
        (each) => `    '${typed} ${each}') ${then(wordsAfter(name, each))} ;;`,
      ),
      `    ${typed}|'${typed} '*) ${then(wordsAfter(name))} ;;`,
    ];
  }).join('\n');

function bash(): string {
  return `_porchlight() {
  local words='' at="\${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" -gt 2 ]; then at="$at \${COMP_WORDS[2]}"; fi
  if [ "$COMP_CWORD" -eq 1 ]; then words='${TYPED.join(' ')} --help --version'
  elif [ "\${COMP_WORDS[COMP_CWORD-1]}" != --settings ]; then
  case "$at" in
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
  local at="$words[2]"
  if (( CURRENT == 2 )); then compadd -- ${TYPED.join(' ')} --help --version; return; fi
  if [[ "$words[CURRENT-1]" == --settings ]]; then _files; return; fi
  if (( CURRENT > 3 )); then at="$at $words[3]"; fi
  case "$at" in
${cases((words) => `compadd -- ${words}`)}
  esac
}
compdef _porchlight porchlight
`;
}
