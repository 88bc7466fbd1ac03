import type { ReactNode } from 'react';
import type { Door } from '#domain/looks/door.ts';
import type { Thing } from '#domain/looks/porch-door.ts';
import { buttonClass } from '../ui/button.tsx';
import { Alternative } from '../ui/link-row.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { Porch } from '../ui/porch.tsx';
import { useLink } from './link.ts';
import styles from './message-page.module.css';

type Way = { readonly href: string; readonly label: string };

type MessagePageProps = {
  readonly door: Door;
  readonly thing?: Thing;
  readonly title: ReactNode;
  readonly action: Way;
  readonly other?: Way;
  readonly children?: ReactNode;
  /** Further links, below the others. */
  readonly further?: ReactNode;
};

/** Shows a page with one message: the porch, a title, a sentence or two, one main link and at most one other. */
export function MessagePage(props: MessagePageProps) {
  const { door, thing, title, action, other, children, further } = props;
  const link = useWay(action);
  return (
    <PorchPage door={door} thing={thing} title={title}>
      <MessageText>{children}</MessageText>
      <a {...link} className={buttonClass('primary', true)}>
        {action.label}
      </a>
      {other && <OtherWay {...other} />}
      {further}
    </PorchPage>
  );
}

type PorchPageProps = {
  readonly door: Door;
  /** The thing at the door, which distinguishes the pages. */
  readonly thing?: Thing | undefined;
  /** Leaves room for a question below. */
  readonly isSmall?: boolean;
  readonly title: ReactNode;
  readonly lead?: string;
  readonly children: ReactNode;
};

/** Shows the porch above a title and a few words. An open door lights them. */
export function PorchPage(props: PorchPageProps) {
  const { door, thing, isSmall = false, title, lead, children } = props;
  return (
    <div className={styles.page} data-porch>
      <div className={`${styles.porch} ${isSmall ? styles.small : ''}`}>
        <Porch door={door} thing={thing} view={isSmall ? 'close' : 'alone'} />
      </div>
      <div className={styles.words}>
        {(door === 'wide' || door === 'half') && <div className={styles.beam} aria-hidden="true" />}
        <PageHeading lead={lead}>{title}</PageHeading>
        {children}
      </div>
    </div>
  );
}

/** Shows the text of such a page. */
export function MessageText({ children }: { children: ReactNode }) {
  return <div className={styles.body}>{children}</div>;
}

function OtherWay(way: Way) {
  const link = useWay(way);
  return (
    <Alternative>
      <a {...link}>{way.label}</a>
    </Alternative>
  );
}

/** Returns the props of a link. An address outside the portal gets none of our query parameters. */
function useWay({ href }: Way) {
  const link = useLink(href);
  return href.startsWith('/') ? link : { href };
}
