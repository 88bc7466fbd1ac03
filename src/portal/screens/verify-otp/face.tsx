import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../ui/icon.tsx';

type FaceProps = {
  readonly icon: IconName;
  readonly title: string;
  readonly children: ReactNode;
};

/** Shows a choice: its text and its result. */
export function Face({ icon, title, children }: FaceProps) {
  return (
    <>
      <Icon name={icon} />
      <span>
        <b>{title}</b>
        <small>{children}</small>
      </span>
    </>
  );
}
