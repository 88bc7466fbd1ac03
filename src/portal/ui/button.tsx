import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { usePress } from '../lib/answering.ts';
import { orNatively } from '../lib/native-form.ts';
import { Icon, type IconName } from './icon.tsx';
import styles from './button.module.css';

type Variant = 'primary' | 'secondary' | 'quiet';

type ButtonProps = {
  variant?: Variant;
  wide?: boolean;
  icon?: IconName;
  pending?: boolean;
  /** It cannot be pressed yet. It stays in the order of the keys, so that it is found. */
  waiting?: boolean;
  /** What the button says while it works. Both labels share one cell, so the button keeps its width. */
  pendingLabel?: string;
  /** Names what it does: so named, it is answered by the server where no script runs. */
  action?: string;
  onClick?: () => unknown;
  ref?: Ref<HTMLButtonElement>;
  children: ReactNode;
} & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style' | 'onClick'>;

/** The class of a button, for a link that leads on like one. */
export function buttonClass(variant: Variant = 'primary', wide = variant === 'primary'): string {
  return [styles.button, variant !== 'primary' && styles[variant], wide && styles.wide]
    .filter(Boolean)
    .join(' ');
}

/** A button that keeps its focus while it works: pending is told by words and `aria-disabled`, never by `disabled`. */
export function Button({
  variant = 'primary',
  wide = variant === 'primary',
  icon,
  pending = false,
  waiting = false,
  pendingLabel,
  action,
  type = 'button',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- a constant of each build
  if (import.meta.env.SSR) usePress(action, onClick);
  return (
    <button
      {...rest}
      {...(action && { form: 'action', name: 'action', value: action })}
      type={action ? 'submit' : type}
      className={`${buttonClass(variant, wide)} ${waiting ? styles.waiting : ''}`}
      aria-disabled={pending || waiting || undefined}
      onClick={(event) => {
        if (pending || action) event.preventDefault();
        if (pending || waiting) return;
        const done = onClick?.();
        if (action && done instanceof Promise) done.catch(orNatively(action));
      }}
    >
      <span className={styles.labels}>
        <span aria-hidden={pending && pendingLabel ? true : undefined}>
          {icon && <Icon name={icon} size="s" />}
          <span className={styles.label}>{children}</span>
        </span>
        {pendingLabel && (
          <span aria-hidden={pending ? undefined : true}>
            <Icon name="loader-circle" spin={pending} />
            {pendingLabel}
          </span>
        )}
      </span>
    </button>
  );
}
