import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './button.module.css';

type Variant = 'primary' | 'secondary' | 'quiet';

type ButtonProps = {
  variant?: Variant;
  wide?: boolean;
  icon?: IconName;
  pending?: boolean;
  /** What the button says while it works. Both labels share one cell, so the button keeps its width. */
  pendingLabel?: string;
  ref?: Ref<HTMLButtonElement>;
  children: ReactNode;
} & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style'>;

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
  pendingLabel,
  type = 'button',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass(variant, wide)}
      aria-disabled={pending || undefined}
      onClick={(event) => {
        if (pending) event.preventDefault();
        else onClick?.(event);
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
