import { textsIn, type Texts } from '#locales/catalogue.ts';
import type { Sender } from './sender.ts';

/** A part of a mail; text and HTML render the same parts, so they can never differ. */
export type Block =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Words of the plain half, where they differ: it has links in place of buttons, and groups a code by a space. */
      readonly plain?: string;
    }
  /** Advice for the case that something is wrong. */
  | { readonly kind: 'note'; readonly text: string }
  /** The phone of the help desk, large, and then its address. */
  | { readonly kind: 'help' }
  /** The code page as it looks: its six boxes are in the HTML half alone. */
  | { readonly kind: 'boxes' }
  | { readonly kind: 'picture'; readonly url: string }
  | { readonly kind: 'button'; readonly label: string; readonly url: string };

export type MailContent = {
  readonly subject: string;
  /** Stands before the headline, large, as the first thing to read. */
  readonly code?: string;
  readonly headline: string;
  readonly blocks: readonly Block[];
  readonly link?: string;
};

export const text = (words: string): Block => ({ kind: 'text', text: words });

export const help: Block = { kind: 'help' };

export const note = (words: string): Block => ({ kind: 'note', text: words });

export const button = (label: string, url: string): Block => ({ kind: 'button', label, url });

type PressWords = { readonly press: string; readonly button: string };

/** A sentence about the button below it, which is a link in the plain half. */
export const pressed = ({ mails }: Texts, write: (words: PressWords) => string): Block => ({
  kind: 'text',
  text: write({ press: mails.pressButton, button: mails.theButton }),
  plain: write({ press: mails.openLink, button: mails.theLink }),
});

export type Person = { readonly firstName: string; readonly sender: Sender };

export const named = ({ sender }: Pick<Person, 'sender'>) => ({ subtenant: sender.name });

/** Returns the texts in the reader's language. */
export const mailTexts = ({ sender }: Pick<Person, 'sender'>): Texts => textsIn(sender.language);
