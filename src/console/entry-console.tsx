import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { type ConsolePage, FOLLOW_HEADER, type RenderedConsole } from '#contract/console.ts';
import { consoleTexts as t } from '#locales/operator/console.ts';
import { followTyping } from './follow-typing.ts';
import { messagesDesk, signInsDesk } from '#locales/operator/figures.ts';
import { followPage } from './follow.ts';
import { FormPage } from './form-page.tsx';
import { Frame, MorePage } from './frame.tsx';
import { ListPage } from './list-page.tsx';
import { MessagePage, messageTitle } from './message-page.tsx';
import { MessagesPage } from './messages-page.tsx';
import { PersonPage, personTitle } from './person-page.tsx';
import { SearchPage } from './search-page.tsx';
import { SignInsPage } from './sign-ins-page.tsx';
import { VerbPage, verbTitle } from './verb-page.tsx';
import { VisitPage, visitTitle } from './visit-page.tsx';

const sheets = import.meta.glob<string>('./*.module.css', {
  query: '?inline',
  import: 'default',
  eager: true,
});

/** The style sheet of the console. */
export const styles: string = Object.values(sheets).join('');

const FOLLOW_MS = 4000;
/** Milliseconds without a key before a preview follows. */
const REST_MS = 150;
const FOLLOWING: readonly ConsolePage['kind'][] = ['person', 'visit'];

/** The scripts of the console: a page that follows along has one of them. React runs on the server alone. */
export const scripts = {
  follow: `(${followPage.toString()})(${JSON.stringify(FOLLOW_HEADER)},${FOLLOW_MS})`,
  typing: `(${followTyping.toString()})(${JSON.stringify(FOLLOW_HEADER)},${REST_MS})`,
} as const;

type PageOf<Kind extends ConsolePage['kind']> = Extract<ConsolePage, { readonly kind: Kind }>;
type View<Page> = readonly [
  draw: (props: { readonly page: Page }) => ReactNode,
  title: (page: Page) => string,
];

/** How each kind of page is drawn, and its title. */
const VIEWS: { readonly [Kind in ConsolePage['kind']]: View<PageOf<Kind>> } = {
  search: [SearchPage, () => t.findTitle],
  person: [PersonPage, personTitle],
  verb: [VerbPage, verbTitle],
  list: [ListPage, ({ title }) => title],
  form: [FormPage, ({ title }) => title],
  message: [MessagePage, messageTitle],
  visit: [VisitPage, visitTitle],
  messages: [MessagesPage, () => messagesDesk.title],
  signIns: [SignInsPage, () => signInsDesk.title],
  more: [MorePage, () => t.more],
};

/** Renders a page of the console. */
export function render(page: ConsolePage): RenderedConsole {
  const hasFrames = page.kind === 'form' && page.brand !== null;
  const [Page, titleOf] = VIEWS[page.kind] as View<ConsolePage>;
  return {
    script: FOLLOWING.includes(page.kind) ? scripts.follow : hasFrames ? scripts.typing : null,
    hasFrames,
    html: renderToStaticMarkup(
      <Frame page={page}>
        <Page page={page} />
      </Frame>,
    ),
    title: `${titleOf(page)} · ${t.role[page.staff.role]}`,
  };
}
