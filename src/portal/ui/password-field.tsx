import { useEffect, useLayoutEffect, useRef, useState, type Ref } from 'react';
import { fill } from '#locales/fill.ts';
import { ui } from '#texts/ui.ts';
import { Field, type FieldProps } from './field.tsx';
import { Icon } from './icon.tsx';
import { announce } from './live-region.tsx';
import { oncePerPress } from './press-guard.ts';
import type { InputProps } from './text-field.tsx';
import fieldStyles from './field.module.css';
import styles from './password-field.module.css';

type PasswordFieldProps = {
  autoComplete: 'current-password' | 'new-password';
  inputRef?: Ref<HTMLInputElement>;
  onText?: (text: string) => void;
} & FieldProps &
  InputProps;

/** A space at an end comes with copied text, and is never taken off. */
const SPACE_AT_END = /^\s|\s$/;

/**
 * Renders a password with a Show/Hide button. It hides itself on submit and when the page comes back from the history.
 */
export function PasswordField(props: PasswordFieldProps) {
  const { name, label, required, optional, hint, error, inputRef, onText, ...input } = props;
  const [isVisible, setVisible] = useState(false);
  const [hasSpace, setHasSpace] = useState(false);
  const look = (text: string, isTyping = false) => {
    // Between two words that are being typed it is no end yet.
    setHasSpace((had) => SPACE_AT_END.test(text) && (had || !isTyping));
    onText?.(text);
  };
  const box = useRef<HTMLDivElement>(null);
  const caret = useRef<number | null>(null);

  useEffect(() => {
    // Typed, filled in or restored before hydration.
    const text = box.current?.querySelector('input')?.value;
    if (text) look(text);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when the page wakes up
  }, []);

  useEffect(() => {
    const hide = () => setVisible(false);
    const form = box.current?.closest('form');
    form?.addEventListener('submit', hide);
    addEventListener('pageshow', hide);
    return () => {
      form?.removeEventListener('submit', hide);
      removeEventListener('pageshow', hide);
    };
  }, [box]);

  // Changing the type moves the caret to one end in some browsers.
  useLayoutEffect(() => {
    const at = caret.current;
    if (at !== null) box.current?.querySelector('input')?.setSelectionRange(at, at);
    caret.current = null;
  }, [isVisible, box]);

  const toggle = () => {
    caret.current = box.current?.querySelector('input')?.selectionStart ?? null;
    setVisible(!isVisible);
    announce(isVisible ? ui.password.nowHidden : ui.password.nowVisible);
  };

  return (
    <Field
      {...{ name, label, required, optional, error }}
      hint={hasSpace ? ui.password.space : hint}
    >
      {(control) => (
        <div className={styles.box} ref={box}>
          <input
            {...input}
            {...control}
            ref={inputRef}
            type={isVisible ? 'text' : 'password'}
            className={`${fieldStyles.input} ${styles.input}`}
            spellCheck={false}
            autoCapitalize="off"
            onInput={(event) => {
              const { data } = event.nativeEvent as InputEvent;
              look(event.currentTarget.value, data?.length === 1);
            }}
            onBlur={(event) => setHasSpace(SPACE_AT_END.test(event.currentTarget.value))}
          />
          <button
            type="button"
            className={`script-only ${styles.toggle}`}
            aria-controls={control.id}
            aria-label={fill(isVisible ? ui.password.hideLabel : ui.password.showLabel, {
              field: label.toLowerCase(),
            })}
            onClick={oncePerPress(toggle)}
          >
            <Icon name={isVisible ? 'eye-off' : 'eye'} size="s" />
            {isVisible ? ui.password.hide : ui.password.show}
          </button>
        </div>
      )}
    </Field>
  );
}
