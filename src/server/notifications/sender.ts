import type { Language } from '#locales/languages.ts';

/** The subtenant as a message shows it, and the language of the message. */
export type Sender = {
  readonly id: number;
  readonly name: string;
  /** A picture that mail programs can show, in CSS pixels; `null`: only the name. */
  readonly logo: { readonly url: string; readonly width: number; readonly height: number } | null;
  readonly accent: string | null;
  /** The reader's. */
  readonly language: Language;
  /** Whether somebody chose it: then the links say so. */
  readonly hasLanguage?: boolean;
  /** The help contacts of its people. */
  readonly help: { readonly phone: string; readonly email: string };
};
