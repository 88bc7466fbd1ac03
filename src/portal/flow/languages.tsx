import { useEffect } from 'react';
import { LANGUAGE_QUERY } from '#domain/text/language-choice.ts';
import { LANGUAGES, type Translated } from '#locales/languages.ts';
import { language } from '#texts/language.ts';
import { keepTyped, restoreTyped } from '../lib/typed-values.ts';
import { useAppContext, useView } from './app-context.ts';
import styles from './languages.module.css';

const CODES = Object.keys(LANGUAGES) as Translated[];

/** Returns whether there is a language to choose. */
export const useHasLanguages = (): boolean => useCodes().length > 1;

const useCodes = () => useAppContext().boot.languages ?? CODES;

/** Renders each language by its own name; all but the page's are links to the same page in them. */
export function Languages({ className = styles.words }: { className?: string | undefined }) {
  const { search } = useView();
  const codes = useCodes();
  useEffect(restoreTyped, []);
  if (codes.length < 2) return null;
  return (
    <div className={className}>
      {codes.map((code) => {
        const { name } = LANGUAGES[code];
        if (code === language) {
          return (
            <span key={code} aria-current="true">
              {name}
            </span>
          );
        }
        return (
          <a
            key={code}
            href={`?${LANGUAGE_QUERY}=${code}${search.replace('?', '&')}`}
            lang={code}
            onClick={keepTyped}
          >
            {name}
          </a>
        );
      })}
    </div>
  );
}
