import { useEffect } from 'react';
import { LANGUAGE_QUERY } from '#domain/text/language-choice.ts';
import { LANGUAGES, type Translated } from '#locales/languages.ts';
import { language } from '#texts/language.ts';
import { fillIn } from '../lib/fill-in.ts';
import { getItem, removeItems, setItem } from '../lib/storage.ts';
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

/** Returns the inputs whose values may be kept: no password, no code, no choice, and no value of ours. */
const fields = () =>
  document.querySelectorAll<HTMLInputElement>(
    'main input:not([type=password],[type=hidden],[type=checkbox],[type=radio],[inputmode=numeric])',
  );

/** Keeps what was typed while the page opens again in another language. */
function keepTyped(): void {
  const typed: Record<string, string> = {};
  for (const { name, value } of fields()) typed[name] = value;
  setItem('typed', typed);
}

/** Puts it back, once. */
function restoreTyped(): void {
  const typed = getItem('typed');
  removeItems('typed');
  if (typed) for (const field of fields()) fillIn(field, typed[field.name] ?? null);
}
