import type * as z from 'zod';
import { configFaults as texts } from '#locales/operator/config-faults.ts';
import { fill } from '#locales/fill.ts';

const TYPES: Readonly<Record<string, string>> = {
  string: texts.notText,
  number: texts.notNumber,
  int: texts.notNumber,
  boolean: texts.notSwitch,
  array: texts.notList,
  object: texts.notObject,
  record: texts.notObject,
  null: texts.notNull,
};

/** Returns what is wrong in an operator's words, or nothing where the library's words stay. For Zod's option `error`. */
export const faultWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? texts.missing : TYPES[issue.expected];
    case 'invalid_format':
      return issue.format === 'url' ? texts.notAddress : undefined;
    case 'invalid_value':
      return issue.input === undefined
        ? texts.missing
        : fill(texts.notOneOf, { values: issue.values.join(', ') });
    case 'too_small': {
      const least = String(issue.minimum);
      if (issue.origin === 'string') return fill(texts.atLeastCharacters, { least });
      if (issue.origin === 'array') return fill(texts.atLeastEntries, { least });
      return fill(texts.atLeast, { least });
    }
    case 'too_big': {
      const most = String(issue.maximum);
      if (issue.origin === 'string') return fill(texts.atMostCharacters, { most });
      if (issue.origin === 'array') return fill(texts.atMostEntries, { most });
      return fill(texts.atMost, { most });
    }
    case 'unrecognized_keys':
      return fill(texts.unknownName, { names: issue.keys.join(', ') });
    default:
      return undefined;
  }
};

const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: texts.noFile,
  ENOTDIR: texts.noFolder,
  EACCES: texts.notAllowed,
  EPERM: texts.notAllowed,
  EISDIR: texts.isFolder,
  EEXIST: texts.isThere,
  ENOSPC: texts.diskFull,
};

/** Returns why a file cannot be read or written, in an operator's words; of another error its own. */
export function fileFault(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return FILE_FAULTS[code] ?? message;
}
