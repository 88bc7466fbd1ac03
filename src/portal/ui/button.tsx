import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { useAction } from '../lib/form-actions.ts';
import { orNatively } from '../lib/native-form.ts';
import { Icon, type IconName } from './icon.tsx';
import styles from './button.module.css';

type Variant = 'primary' | 'secondary' | 'quiet' | 'soft';

type ButtonProps = {
  variant?: Variant;
  wide?: boolean;
  icon?: IconName;
  pending?: boolean;
  /** It is not enabled yet, but stays in the tab order, so that it is found. */
  waiting?: boolean;
  /** The label while it works. Both labels share one cell, so the button keeps its width. */
  pendingLabel?: string;
  /** The action's name, by which the server answers it without JavaScript. */
  action?: string;
  onClick?: () => unknown;
  ref?: Ref<HTMLButtonElement>;
  children: ReactNode;
} & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style' | 'onClick'>;

/** Returns the class of a button, for a link that looks like one. */
export function buttonClass(variant: Variant = 'primary', wide = variant === 'primary'): string {
  return [styles.button, variant !== 'primary' && styles[variant], wide && styles.wide]
    .filter(Boolean)
    .join(' ');
}

/** Renders a button that keeps its focus while it works: text and `aria-disabled` show it, never `disabled`. */
export function Button({
  variant,
  wide,
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
  if (import.meta.env.SSR) useAction(action, onClick);
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
