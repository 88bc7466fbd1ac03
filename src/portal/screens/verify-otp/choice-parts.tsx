import type { ReactNode } from 'react';
import { useAppContext } from '../../flow/app-context.ts';
import { Address, Phone } from '../../ui/contacts.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import styles from './choices.module.css';

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

/** Shows the help contacts in the dark band. */
export function CallUs({ lead }: { readonly lead: string }) {
  const { phone, email } = useAppContext().boot.settings.help;
  return (
    <p className={styles.call}>
      {lead} <Phone number={phone} isLink /> <Address email={email} isLink />
    </p>
  );
}
