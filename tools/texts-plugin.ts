// The texts of one language in a build of the portal: `#texts/ui.ts` is that language's file.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { isTranslated, type Language, ORIGINAL } from '../src/locales/languages.ts';

const LOCALES = path.resolve(import.meta.dirname, '../src/locales');

/** Returns the file of a subject, or the name of one that is made from English. */
export const textsFile = (language: Language, subject: string): string =>
  isTranslated(language) ? path.join(LOCALES, language, subject) : `\0texts:${language}/${subject}`;

/** Creates the plugin that replaces the texts of a build. */
export function textsIn(language: Language): Plugin {
  return {
    name: 'porchlight:texts',
    enforce: 'pre',
    resolveId(source, importer) {
      const subject = /^#texts\/(.+)$/.exec(source)?.[1];
      if (subject === undefined) return null;
      const isOriginal = subject === 'language.ts' && !isTranslated(language);
      const isMadeFrom = importer?.startsWith('\0texts:');
      return textsFile(isOriginal || isMadeFrom ? ORIGINAL : language, subject);
    },
    load(id) {
      const subject = /^\0texts:[^/]+\/(.+)$/.exec(id)?.[1];
      if (subject === undefined) return null;
      const file = path.join(LOCALES, ORIGINAL, subject);
      const names = readFileSync(file, 'utf8').matchAll(/^export const (\w+)/gm);
      const made = [...names].map(
        ([, name]) => `export const ${name} = made(own.${name}, ${JSON.stringify(language)});`,
      );
      const pseudo = path.join(LOCALES, 'pseudo.ts');
      return `import * as own from ${JSON.stringify(file)};
import { pseudoTexts as made } from ${JSON.stringify(pseudo)};
${made.join('\n')}`;
    },
  };
}
