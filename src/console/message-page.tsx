import type { ConsoleFrame, MessagePage as Data } from '#contract/console.ts';
import { consoleTexts as t } from '#locales/operator/console.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import parts from './parts.module.css';
import { Way } from './parts.tsx';

export const messageTitle = ({ message }: Data): string => t.message[message].title;

/** Renders a page of one message, with the way back. */
export function MessagePage({ page }: { readonly page: ConsoleFrame & Data }) {
  const { title, text } = t.message[page.message];
  return (
    <>
      <h1>{title}</h1>
      <p className={parts.lead}>{text}</p>
      <Way href={consolePath('people')}>{t.backToSearch}</Way>
    </>
  );
}
