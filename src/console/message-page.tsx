import type { ConsoleFrame, MessagePage as Data } from '#contract/console.ts';
import { fill } from '#locales/fill.ts';
import { consoleTexts as t } from '#locales/operator/console.ts';
import { deskTexts } from '#locales/operator/console-areas.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import parts from './parts.module.css';
import { Way } from './parts.tsx';

const nameOf = (area: ConsoleFrame['area']) => (area === 'more' ? t.more : t.area[area]);

export const messageTitle = ({ message }: Data): string => t.message[message].title;

/** Renders a page of one message, with the way back: to the area, or to the search. */
export function MessagePage({ page }: { readonly page: ConsoleFrame & Data }) {
  const { title, text } = t.message[page.message];
  const { area } = page;
  const back = area === 'people' ? t.backToSearch : fill(deskTexts.backTo, { list: nameOf(area) });
  return (
    <>
      <h1>{title}</h1>
      <p className={parts.lead}>{text}</p>
      <Way href={consolePath(area)}>{back}</Way>
    </>
  );
}
