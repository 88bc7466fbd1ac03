import type { ReactNode } from 'react';
import { buttonClass } from '../ui/button.tsx';
import { Drawing } from '../ui/drawing.tsx';
import { Alternative } from '../ui/link-row.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { useLink } from './link.ts';
import styles from './message-page.module.css';

type Way = { readonly href: string; readonly label: string };

type MessagePageProps = {
  readonly drawing: Parameters<typeof Drawing>[0]['name'];
  readonly title: ReactNode;
  readonly action: Way;
  readonly other?: Way;
  readonly children?: ReactNode;
};

/** A page with one message: a picture, a title, a sentence or two, one way on and at most one other. */
export function MessagePage({ drawing, title, action, other, children }: MessagePageProps) {
  const link = useWay(action);
  return (
    <>
      <Drawing name={drawing} />
      <PageHeading>{title}</PageHeading>
      <MessageText>{children}</MessageText>
      <a {...link} className={buttonClass('primary', true)}>
        {action.label}
      </a>
      {other && <OtherWay {...other} />}
    </>
  );
}

/** The text of such a page. */
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

/** An address outside the portal stays as it is: our query parameters are not added to it. */
function useWay({ href }: Way) {
  const link = useLink(href);
  return href.startsWith('/') ? link : { href };
}
