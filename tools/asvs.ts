// docs/asvs.md answers every requirement of ASVS 5.0.0 of levels 1 and 2. This check sees that none is left out, and that
// what an answer names is there.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './processes.ts';

const DOCUMENT = 'docs/asvs.md';
/** `id:level`, from the edition that OWASP tagged v5.0.0_release. */
const IDS = path.join(import.meta.dirname, 'asvs-ids.txt');

/** Requirements that share an answer stand in one row; a word or two may follow them. */
const ROW = /^\| (\d+\.\d+\.\d+(?:, \d+\.\d+\.\d+)*)(?: [^|]+)? \| ([^|]+) \|$/;
const ANY_ROW = /^\| *\d/;
/** Tests, and documents where a requirement asks for one; each with words that are found in it. */
const NAMED =
  /^`((?:src|e2e|tools)\/[\w./-]+\.(?:test|spec)\.ts|docs\/[\w./-]+\.md)`, "([^"]+)"(?:; .+)?$/;
const NOT_APPLICABLE = /^not applicable: \S.{2,}$/;
const DEVIATION = /^Deviation (\d{4}-\d\d-\d\d): \S.+ Ends .+$/;

/** Levels by id. */
export function readIds(text = readFileSync(IDS, 'utf8')): Map<string, string> {
  return new Map(
    text
      .trim()
      .split(/\s+/)
      .map((entry) => entry.split(':') as [string, string]),
  );
}

/** Returns the faults, one line each. `read`: the text of a file of the repository, if it is there. */
export function findFaults(
  text: string,
  levels: ReadonlyMap<string, string>,
  read: (file: string) => string | null,
): string[] {
  const seen = new Set<string>();
  const faults: string[] = [];
  for (const line of text.split('\n').filter((each) => ANY_ROW.test(each))) {
    const [, cell = '', answer = ''] = ROW.exec(line) ?? [];
    if (cell === '') faults.push(`not a row: ${line}`);
    const fault = cell && faultOf(answer, read);
    for (const id of cell === '' ? [] : cell.split(', ')) {
      if (!levels.has(id)) faults.push(`${id} is no requirement of level 1 or 2`);
      else if (seen.has(id)) faults.push(`${id} stands there twice`);
      if (fault) faults.push(`${id} ${fault}`);
      seen.add(id);
    }
  }
  const missing = [...levels.keys()].filter((id) => !seen.has(id));
  return [...faults, ...missing.map((id) => `${id} is missing`)];
}

function faultOf(answer: string, read: (file: string) => string | null): string | null {
  const [, file, words = ''] = NAMED.exec(answer) ?? [];
  if (file !== undefined) {
    const content = read(file);
    if (content === null) return `names ${file}, which is not there`;
    // A document wraps its lines where it likes.
    return content.replaceAll(/\s+/g, ' ').includes(words)
      ? null
      : `quotes "${words}", which is not in ${file}`;
  }
  if (NOT_APPLICABLE.test(answer)) return null;
  const [, date] = DEVIATION.exec(answer) ?? [];
  if (date === undefined) return 'has neither a test, a reason nor a dated deviation with its end';
  return Number.isNaN(Date.parse(date)) ? `deviates since ${date}, which is no day` : null;
}

if (import.meta.main) {
  const read = (file: string) => {
    const at = path.join(ROOT, file);
    return existsSync(at) ? readFileSync(at, 'utf8') : null;
  };
  const faults = findFaults(read(DOCUMENT) ?? '', readIds(), read);
  for (const fault of faults) console.log(`${DOCUMENT}: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
