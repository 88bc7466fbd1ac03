import { useEffect, useId, useRef, type ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './dialog.module.css';

type DialogProps = {
  title: string;
  children: ReactNode;
  /** The only answer; Escape does the same. */
  action: string;
  /** Called after the dialog has closed, to move the focus on. */
  onClose: () => void;
};

/** Renders a message that must be answered first. Mount it to open it; the rest of the page is inert meanwhile. */
export function Dialog({ title, children, action, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    if (!element || element.open) return;
    // Safari has showModal since 15.4; before that the message stands in the page.
    if ('showModal' in element) element.showModal();
    else (element as HTMLElement).setAttribute('open', '');
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      role="alertdialog"
      aria-labelledby={`${id}t`}
      aria-describedby={`${id}d`}
      onClose={onClose}
    >
      <h2 className={styles.title} id={`${id}t`}>
        {title}
      </h2>
      <p id={`${id}d`}>{children}</p>
      <div className={styles.action}>
        <Button
          wide
          onClick={() => {
            if (dialog.current?.close) dialog.current.close();
            else onClose();
          }}
        >
          {action}
        </Button>
      </div>
    </dialog>
  );
}
