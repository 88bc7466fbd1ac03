import styles from './icon.module.css';

/** A shape of the sprite in `assets/icons.svg`, by its name there. */
export type IconName =
  | 'a-large-small'
  | 'arrow-left'
  | 'briefcase'
  | 'calendar-check'
  | 'check'
  | 'chevron-down'
  | 'circle-check'
  | 'circle-question-mark'
  | 'clipboard-list'
  | 'clock'
  | 'ear'
  | 'eye'
  | 'eye-off'
  | 'graduation-cap'
  | 'handshake'
  | 'headset'
  | 'house'
  | 'info'
  | 'key-round'
  | 'lamp'
  | 'lamp-out'
  | 'languages'
  | 'layout-grid'
  | 'loader-circle'
  | 'lock'
  | 'log-out'
  | 'mail'
  | 'mark'
  | 'octagon-alert'
  | 'pause'
  | 'phone'
  | 'pencil'
  | 'play'
  | 'printer'
  | 'refresh-cw'
  | 'search'
  | 'shield-check'
  | 'smartphone'
  | 'square'
  | 'sun'
  | 'ticket'
  | 'triangle-alert'
  | 'user'
  | 'users'
  | 'volume-2'
  | 'x';

type IconProps = {
  name: IconName;
  size?: 's' | 'm' | 'l';
  spin?: boolean;
  className?: string | undefined;
};

/**
 * Renders a decorative icon: the page carries the sprite once, so an icon costs no script. Always set it beside text.
 */
export function Icon({ name, size = 'm', spin = false, className }: IconProps) {
  const classes = [
    styles.icon,
    (name === 'mark' || name === 'lamp') && styles.mark,
    size !== 'm' && styles[size],
    spin && styles.spin,
    className,
  ];
  return (
    <svg className={classes.filter(Boolean).join(' ')} viewBox="0 0 24 24" aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  );
}
