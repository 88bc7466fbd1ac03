// A citation that leads nowhere is worse than none. Whatever a comment, a test title or a document
// cites has to be defined in docs/: ids by a row of a table, decisions by a record, paths by a file.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './processes.ts';

export type Source = {
  /** Relative to the repository. */
  readonly file: string;
  readonly text: string;
};

const FOLDERS = ['src', 'tools', 'load', 'e2e', 'docs'];
const READ = /\.(?:ts|tsx|mjs|css|sql|md)$/;
/** This check and its test name what is forbidden. */
const OWN = /^tools\/citations\./;

const ID = String.raw`[A-Z]{3}-\d{2,3}|[A-Z]\d{1,2}`;
const DEFINED_ID = new RegExp(String.raw`^\| (${ID}) \|`, 'gm');
/** In brackets anything that looks like an id is one; elsewhere only with a prefix that some row has. */
const BRACKETED_ID = new RegExp(String.raw`\[(${ID})\]`, 'g');
/** Not before a colon: `T12:00` is a time. */
const BARE_ID = new RegExp(String.raw`\b(${ID})\b(?!:)`, 'g');
const DECISION =
  /\b(?:decisions?|records?|docs\/decisions\/) ?(\d{3}(?:(?:, | and | to )\d{3})*)\b/gi;
const DECISION_FOLDER = 'docs/decisions/';
/** Of a record, or of a section of a living page. */
const DECISION_HEADING = /^##? (\d{3}) /gm;
/** Paths that a reader can open; names with a placeholder are none. */
const PATH = /`((?:src|tools|load|e2e|docs)\/[\w./-]*)`|\b(docs\/[\w/-]+\.md)\b/g;
const HEADING = /\b(docs\/[\w/-]+\.md), "([^"]+)"/g;
/** Names of sources that are not in the repository. */
const OUTSIDE = [
  /\bthe seed\b/i,
  /\bseed['’]s\b/i,
  /\bseed sections?\b/i,
  /\b(?:seed|ledger|decisions)\.md\b/,
  /\bhosted-login wire\b/i,
  /\bdecisions? \d{1,2}\b/i,
  /\blessons? \d/i,
  /\.\.\/(?:shared|spec|design|review)\b/,
];

export function readSources(root = ROOT): Source[] {
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file.replaceAll(path.sep, '/')}`,
    ),
  );
  return [...readdirSync(root), ...below]
    .filter((file) => READ.test(file) && !OWN.test(file))
    .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
}

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, one, other]) => one ?? other ?? '');

const prefixOf = (id: string): string => id.replace(/-?\d+$/, '');

/** Returns the faults, one line each: `file:line fault`. */
export function findFaults(
  sources: readonly Source[],
  exists: (file: string) => boolean = (file) => existsSync(path.join(ROOT, file)),
): string[] {
  const docs = sources.filter(({ file }) => file.startsWith('docs/'));
  const rows = docs.flatMap(({ text }) => matches(text, DEFINED_ID));
  const ids = new Set(rows);
  const prefixes = new Set(rows.map(prefixOf));
  const records = docs.filter(({ file }) => file.startsWith(DECISION_FOLDER));
  const decisions = new Set(records.flatMap(({ text }) => matches(text, DECISION_HEADING)));
  const headings = new Map(docs.map(({ file, text }) => [file, matches(text, /^#+ (.+)$/gm)]));

  function faultsOf(line: string): string[] {
    const cited = [
      ...matches(line, BRACKETED_ID),
      ...matches(line, BARE_ID).filter((id) => prefixes.has(prefixOf(id))),
    ];
    const numbers = matches(line, DECISION).flatMap((list) => list.match(/\d{3}/g) ?? []);
    return [
      ...new Set(cited.filter((id) => !ids.has(id)).map((id) => `${id} is not defined`)),
      ...numbers
        .filter((number) => !decisions.has(number))
        .map((number) => `no decision ${number}`),
      ...matches(line, PATH)
        .filter((file) => !exists(file))
        .map((file) => `there is no ${file}`),
      ...[...line.matchAll(HEADING)]
        .filter(([, file = '', heading = '']) => !headings.get(file)?.includes(heading))
        .map(([, file, heading]) => `${file} has no heading "${heading}"`),
      ...OUTSIDE.flatMap((pattern) => pattern.exec(line) ?? []).map(
        (words) => `"${words}" is not in the repository`,
      ),
    ];
  }

  return [
    ...rows.filter((id, i) => rows.indexOf(id) !== i).map((id) => `${id} is defined twice`),
    ...sources.flatMap(({ file, text }) =>
      text
        .split('\n')
        .flatMap((line, i) => faultsOf(line).map((fault) => `${file}:${i + 1} ${fault}`)),
    ),
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const faults = findFaults(readSources());
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
}
