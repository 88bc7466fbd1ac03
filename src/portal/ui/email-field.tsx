import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { fill } from '#locales/fill.ts';
import { widgets } from '#texts/widgets.ts';
import { Button } from './button.tsx';
import { Address, fillNodes } from './contacts.tsx';
import { announce } from './live-region.tsx';
import { FieldHint } from './stack.tsx';
import { TextField } from './text-field.tsx';
import { normalizeOnInput } from './normalize.ts';

type EmailFieldProps = {
  label: string;
  initial?: string | undefined;
  inputRef?: RefObject<HTMLInputElement | null>;
  error: ReactNode;
  enterKeyHint: 'next' | 'go';
  /** `unmarked` where it is the only field. */
  required?: true | 'unmarked';
};

const neat = normalizeOnInput((text) => text.trimStart());

/**
 * Renders the email field of a new address. For a probable typing error it suggests another address; the visitor may
 * ignore it.
 */
export function EmailField({
  label,
  initial,
  inputRef,
  error,
  enterKeyHint,
  required = true,
}: EmailFieldProps) {
  const own = useRef<HTMLInputElement>(null);
  const input = inputRef ?? own;
  const [meant, setMeant] = useState<string | null>(null);

  const look = async () => {
    const typed = input.current?.value ?? '';
    const module = await import('#domain/typed/mail-domain.ts').catch(() => null);
    if (typed !== input.current?.value) return;
    const found = module?.meantEmail(typed) ?? null;
    setMeant(found);
    if (found) announce(fill(widgets.email.didYouMean, { email: found }));
  };
  const accept = () => {
    const field = input.current;
    if (!field || meant === null) return;
    field.value = meant;
    // Notifies the form as for typed text.
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.focus();
    announce(fill(widgets.email.changed, { email: meant }));
    setMeant(null);
  };

  const lookAtLeft = useEffectEvent(() => {
    const field = input.current;
    const isLeft = field !== null && field !== document.activeElement;
    if (isLeft && window.porchlightTouched?.has(field)) void look();
  });
  // It was left while the page slept.
  useEffect(() => lookAtLeft(), []);

  return (
    <div>
      <TextField
        name="email"
        type="email"
        label={label}
        required={required}
        autoComplete="email"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint={enterKeyHint}
        defaultValue={initial}
        inputRef={input}
        onBlur={() => void look()}
        onInput={(event) => {
          neat(event);
          setMeant(null);
        }}
        error={error}
      />
      {meant && (
        <FieldHint>
          <span>{fillNodes(widgets.email.didYouMean, { email: <Address email={meant} /> })}</span>
          <Button variant="secondary" onClick={accept}>
            {widgets.email.useIt}
          </Button>
        </FieldHint>
      )}
    </div>
  );
}
