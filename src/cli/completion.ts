import { fill } from '#locales/fill.ts';
import { commands as texts } from '#locales/operator/commands.ts';
import type { Line, VerbName } from '#locales/operator/verbs.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import type { CommandOf } from './command.ts';
import { verbLines, names, subVerbsOf, typedNames } from './program.ts';

/** `porchlight completion bash|zsh` */
export const completion: CommandOf<'completion'> = {
  ''([shell = '']) {
    const write = { bash, zsh }[shell];
    if (!write) throw new OperatorError(fill(texts.noShell, { shell }));
    const script = write();
    return async () => ({ text: script, data: { script } });
  },
};

const typed = names.flatMap(typedNames);

/** Returns the literal words and options that can follow a verb or sub-verb. */
function wordsAfter(name: VerbName, sub?: string): string {
  const lines = verbLines(name).filter(([each]) => sub === undefined || each === sub);
  const fixed = sub === undefined ? subVerbsOf(name) : [];
  const others = name === 'help' ? typed : [];
  const words = lines.flatMap(([, line]) => lineWords(line));
  const every = ['--help', '--json', '--settings'];
  return [...new Set([...fixed, ...others, ...words, ...every])].join(' ');
}

/** Returns the words of a line that are typed as they stand: lower-case choices, and its options. */
function lineWords({ args = '', options = {} }: Line): readonly string[] {
  const choices = args.split(/[^\w|-]+/).flatMap((arg) => arg.split('|'));
  const flags = Object.keys(options).map((option) => `--${option}`);
  return [...choices.filter((word) => /^[a-z]/.test(word)), ...flags];
}

const cases = (then: (words: string) => string) =>
  names
    .flatMap((name) =>
      typedNames(name).flatMap((each) => [
        ...subVerbsOf(name).map((sub) => `    '${each} ${sub}') ${then(wordsAfter(name, sub))} ;;`),
        `    ${each}|'${each} '*) ${then(wordsAfter(name))} ;;`,
      ]),
    )
    .join('\n');

function bash(): string {
  return `_porchlight() {
  local words='' at="\${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" -gt 2 ]; then at="$at \${COMP_WORDS[2]}"; fi
  if [ "$COMP_CWORD" -eq 1 ]; then words='${typed.join(' ')} --help --version'
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
  if (( CURRENT == 2 )); then compadd -- ${typed.join(' ')} --help --version; return; fi
  if [[ "$words[CURRENT-1]" == --settings ]]; then _files; return; fi
  if (( CURRENT > 3 )); then at="$at $words[3]"; fi
  case "$at" in
${cases((words) => `compadd -- ${words}`)}
  esac
}
compdef _porchlight porchlight
`;
}
