import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { extname } from 'node:path';
import { MEMBER_ROLE } from '#domain/people/roles.ts';
import { DEFAULT_SUBTENANT_ID, parseSubtenantId } from '#domain/people/subtenants.ts';
import { importCommand as texts } from '#locales/operator/import-command.ts';
import { fill } from '#locales/fill.ts';
import { dialCodeOf, loadPhoneReader } from '#server/accounts/phone-number.ts';
import { fileFault } from '#server/config/fault-words.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { createSubtenants } from '#server/subtenants/subtenants.ts';
import { type CommandOf, output, type Output } from '../command.ts';
import { rolesIn } from '../person-words.ts';
import { importUsers, type Result } from './import-users.ts';
import type { Fault, ImportOptions } from './check-row.ts';
import { readArray } from './array-reader.ts';
import { decode, EncodingFault, type FileRecord, readCsv, readLines } from './records.ts';
import {
  FIREBASE_COLUMNS,
  type Format,
  FORMATS,
  isFullName,
  isLeftOut,
  ofAuth0,
  ofFirebase,
  ofKeycloak,
  ofOwn,
  OWN_FIELDS,
  ownField,
} from './sources.ts';

const STDIN = '-';
const EXTENSIONS: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/** `porchlight user import FILE`: people of another system, with their password hashes (decisions 113 and 114). */
export const userImport: CommandOf<'user'>['import'] = ([file = ''], values) => {
  const format = formatOf(file, values.format);
  const { role = [String(MEMBER_ROLE)], subtenant = String(DEFAULT_SUBTENANT_ID) } = values;
  const roleIds = rolesIn(role);
  const isDryRun = values['dry-run'] ?? false;
  return async (at) => {
    const { country = '' } = values;
    const dialCode = country === '' ? '' : await dialCodeOf(country);
    if (dialCode === null) throw new OperatorError(fill(texts.badCountry, { country }));
    const readPhone = await loadPhoneReader();
    const source = await openSource(file);
    const finish = openReport(values.report);
    let report: object | null = null;
    try {
      const made = await at.withDatabase(async (context) => {
        const subtenantId = parseSubtenantId(subtenant);
        if (subtenantId === null || !(await createSubtenants(context).find(subtenantId))) {
          throw new OperatorError(fill(texts.noSubtenant, { id: subtenant }));
        }
        const keepsHashes = context.config.tenant === null;
        const columnsLeftOut: string[] = [];
        const records = recordsOf(file, format, source.bytes, columnsLeftOut);
        const result = await importUsers(context, records, {
          toPerson: READERS[format],
          isFieldKnown: (name) => format !== 'ndjson' || ownField(name) !== undefined,
          isDryRun,
          readPhone,
          dialCode,
          withoutBadNumbers: values['without-bad-numbers'] ?? false,
          withoutUnknownHashes: values['without-unknown-hashes'] ?? false,
          trustsProof: values['trust-proof'] ?? false,
          keepsHashes,
          roleIds,
          subtenantId,
          fileHash: source.hash,
          onProgress: (rows) => at.progress?.(rows, source.share()),
        });
        const data = { file, format, isDryRun, sha256: source.hash(), columnsLeftOut, ...result };
        return told(data, keepsHashes);
      });
      report = made.data;
      return made;
    } finally {
      finish(report);
    }
  };
};

const READERS: Readonly<Record<Format, ImportOptions['toPerson']>> = {
  csv: ofOwn,
  ndjson: ofOwn,
  auth0: ofAuth0,
  keycloak: ofKeycloak,
  cognito: ofOwn,
  firebase: ofFirebase,
};

async function* recordsOf(
  file: string,
  format: Format,
  bytes: AsyncIterable<Uint8Array>,
  columnsLeftOut: string[],
): AsyncIterable<FileRecord> {
  const pieces = decode(bytes);
  try {
    if (format === 'csv' || format === 'cognito') {
      yield* readCsv(pieces, (names) => {
        columnsLeftOut.push(...names.filter(isLeftOut));
        const isRead = (name: string) => isFullName(name) || isLeftOut(name);
        const wrong = names.filter((name) => !ownField(name) && !isRead(name));
        const isComplete = names.some((name) => ownField(name) === 'email');
        if (isComplete && wrong.length === 0) return;
        const told = { file, names: wrong.join(', ') || STDIN, fields: OWN_FIELDS.join(', ') };
        throw new OperatorError(fill(texts.badColumns, told));
      });
      return;
    }
    const { sign, all } = format === 'ndjson' ? { sign: '', all: pieces } : await peek(pieces);
    if (format === 'firebase' && sign !== '{' && sign !== '[') {
      yield* readCsv(all, () => undefined, FIREBASE_COLUMNS);
      return;
    }
    // An export job of Auth0 writes an object a line; the file may as well be one list of them.
    if (format === 'ndjson' || (format === 'auth0' && sign !== '[')) yield* readLines(all);
    else if (!(yield* readArray(all))) throw new OperatorError(fill(texts.noUsers, { file }));
  } catch (error) {
    if (error instanceof EncodingFault) {
      throw new OperatorError(fill(texts.notUtf8, { file, line: error.line }));
    }
    throw error;
  }
}

/** Reads the first sign of a text. */
async function peek(pieces: AsyncIterable<string>) {
  const iterator = pieces[Symbol.asyncIterator]();
  let head = '';
  let next = await iterator.next();
  while (next.done !== true && (head += next.value).trim() === '') next = await iterator.next();
  async function* all() {
    yield head;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { sign: head.trimStart().charAt(0), all: all() };
}

/** @throws OperatorError when the file cannot be read */
async function openSource(file: string) {
  const hash = createHash('sha256');
  /** Hex: of a whole file, or of the bytes of a stream read so far. */
  const soFar = () => hash.copy().digest('hex');
  if (file === STDIN) {
    const onChunk = (chunk: Buffer) => hash.update(chunk);
    return { bytes: watched(() => process.stdin, onChunk), hash: soFar, share: () => null };
  }
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  } catch (error) {
    throw new OperatorError(fill(texts.badFile, { file, reason: fileFault(error) }));
  }
  const { size } = statSync(file);
  let done = 0;
  const onChunk = (chunk: Buffer) => (done += chunk.length);
  const bytes = watched(() => createReadStream(file), onChunk);
  return { bytes, hash: soFar, share: () => (size === 0 ? 1 : Math.min(1, done / size)) };
}

async function* watched(
  open: () => NodeJS.ReadableStream,
  onChunk: (chunk: Buffer) => void,
): AsyncIterable<Uint8Array> {
  for await (const chunk of open()) {
    onChunk(chunk as Buffer);
    yield chunk as Buffer;
  }
}

/**
 * Opens the report before anything is imported; the answer writes it, or takes the empty file away.
 * @throws OperatorError when it cannot be written: a file that is there stays as it is
 */
function openReport(file: string | undefined): (report: object | null) => void {
  if (file === undefined) return () => undefined;
  try {
    const handle = openSync(file, 'wx', 0o600);
    return (report) => {
      if (report) writeSync(handle, `${JSON.stringify(report, null, 2)}\n`);
      closeSync(handle);
      if (!report) rmSync(file);
    };
  } catch (error) {
    throw new OperatorError(fill(texts.badReport, { file, reason: fileFault(error) }));
  }
}

type Data = Result & { readonly isDryRun: boolean; readonly columnsLeftOut: readonly string[] };

function told(data: Data, keepsHashes: boolean): Output {
  const { counts, faults, lines, rolesLeftOut, notes, hashKinds, columnsLeftOut } = data;
  const { failed, weak, withoutPassword, leftOut, sameNumber } = counts;
  const all = Object.entries(faults) as [Fault, number][];
  return output(
    [
      ...(data.isDryRun ? [texts.dryRun] : []),
      fill(texts.counts, counts),
      ...(withoutPassword > 0 ? [fill(texts.withoutPassword, { count: withoutPassword })] : []),
      ...(weak > 0 ? [fill(texts.weak, { count: weak })] : []),
      ...(keepsHashes ? [] : [texts.atTenant]),
      ...Object.entries(rolesLeftOut).map(([role, count]) =>
        fill(texts.roleLeftOut, { role, count }),
      ),
      ...(columnsLeftOut.length > 0
        ? [fill(texts.columnsLeftOut, { names: columnsLeftOut.join(', ') })]
        : []),
      ...(leftOut > 0 ? [fill(texts.leftOut, { count: leftOut })] : []),
      ...(sameNumber > 0 ? [fill(texts.sameNumber, { count: sameNumber })] : []),
      ...notes.map(lineText),
      ...all.map(([reason, count]) => fill(texts.fault, { count, text: texts.faults[reason] })),
      ...Object.entries(hashKinds).map(([kind, count]) => fill(texts.hashKind, { count, kind })),
      ...lines.map(lineText),
      ...(failed > lines.length ? [fill(texts.more, { count: lines.length })] : []),
    ],
    data,
    failed > 0,
  );
}

function lineText({ line, reason, column, value }: Result['lines'][number]): string {
  const text = texts.faults[reason];
  if (column === '') return fill(texts.line, { line, text });
  const place = value === '' ? column : fill(texts.columnValue, { column, value });
  return fill(texts.lineColumn, { line, place, text });
}

/** @throws OperatorError when neither option nor file name says the format */
function formatOf(file: string, asked: string | undefined): Format {
  const formats = FORMATS.join(', ');
  const named = asked ?? EXTENSIONS[extname(file).toLowerCase()];
  if (named === undefined) throw new OperatorError(fill(texts.noFormat, { file, formats }));
  const format = FORMATS.find((known) => known === named);
  if (!format) throw new OperatorError(fill(texts.badFormat, { format: named, formats }));
  return format;
}
