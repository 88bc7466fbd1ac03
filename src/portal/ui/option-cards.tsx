import type { ReactNode } from 'react';
import { useFormActions } from '../lib/form-actions.ts';
import { CheckMark } from './checkbox.tsx';
import { FieldError } from './field.tsx';
import { Icon, type IconName } from './icon.tsx';
import styles from './option-cards.module.css';

/** One choice. With an icon or a description it is a tall row. */
export type Option = {
  value: string;
  label: string;
  icon?: IconName;
  description?: string;
};

type OptionCardsProps = {
  /** Every checkbox or radio of the group carries this name. */
  name: string;
  type?: 'checkbox' | 'radio';
  legend: ReactNode;
  options: readonly Option[];
  defaultChosen?: readonly string[];
  error?: ReactNode;
  /** Content that one card opens while it is chosen, such as the text for 'Other'. */
  after?: { value: string; content: ReactNode };
};

/** Renders native checkboxes or radios as cards: the whole card is the target, and the keyboard works as usual. */
export function OptionCards(props: OptionCardsProps) {
  const { name, type = 'checkbox', legend, options, defaultChosen, error, after } = props;
  const sent = useFormActions()?.sent?.getAll(name);
  const chosen = sent?.length ? sent : (defaultChosen ?? []);
  const isTall = options.some((option) => option.icon ?? option.description);
  return (
    <fieldset aria-describedby={error ? `${name}-err` : undefined}>
      <legend className={styles.legend}>{legend}</legend>
      <FieldError id={name} error={error} />
      <div className={[styles.cards, isTall && styles.rows].filter(Boolean).join(' ')}>
        {options.map((option, index) => {
          const card = (
            <label className={styles.card} key={option.value}>
              <CheckMark
                type={type}
                name={name}
                id={index === 0 ? name : undefined}
                value={option.value}
                defaultChecked={chosen.includes(option.value)}
                aria-invalid={error ? true : undefined}
              />
              {option.icon && (
                <span className={styles.badge}>
                  <Icon name={option.icon} size="l" />
                </span>
              )}
              <span className={styles.words}>
                {isTall ? <span className={styles.name}>{option.label}</span> : option.label}
                {option.description && <span className={styles.about}>{option.description}</span>}
              </span>
            </label>
          );
          if (after?.value !== option.value) return card;
          return (
            <div key={option.value} className={styles.pair}>
              {card}
              <div className={styles.after}>{after.content}</div>
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}
