import {
  useEffect,
  useImperativeHandle,
  useRef,
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react';
import { otpDigits } from '#domain/proofs/otp.ts';
import { latinDigits } from '#domain/typed/digits.ts';
import { fill } from '#locales/fill.ts';
import { widgets } from '#texts/widgets.ts';
import { FieldError } from './field.tsx';
import { givenText, spreadDigits } from './otp-spread.ts';
import styles from './otp-boxes.module.css';

const LENGTH = 6;

/** The boxes' methods for a screen. */
export type OtpBoxesHandle = {
  /** Empties the boxes and focuses the first. */
  clear: () => void;
  /** Focuses the first box and selects it, unless a box has the focus. */
  focus: () => void;
};

type OtpBoxesProps = {
  /** Every box carries this name: `FormData.getAll(name).join("")` is the code. */
  name: string;
  legend: string;
  hint: string;
  error?: ReactNode;
  /** No sent code is valid any more; the page says so elsewhere, in an element with the error's id. */
  isOver?: boolean;
  ref?: Ref<OtpBoxesHandle>;
  onCode?: (code: string) => void;
};

/**
 * Renders six boxes in one group. The first one accepts a whole code, so that autofill, a paste and dictation work as
 * in a single field; those arrive as plain input, not as a paste.
 */
export function OtpBoxes({
  name,
  legend,
  hint,
  error,
  isOver = false,
  ref,
  onCode,
}: OtpBoxesProps) {
  const group = useRef<HTMLFieldSetElement>(null);
  const lastText = useRef('');
  const inputs = () => [...(group.current?.querySelectorAll('input') ?? [])];

  const put = (at: number, text: string) => {
    const all = inputs();
    // The edited box holds the new text beside the old; it starts from nothing.
    const held = all.map((input, index) => (index === at ? '' : input.value));
    const { boxes, next } = spreadDigits(held, at, text);
    all.forEach((input, index) => (input.value = boxes[index] ?? ''));
    lastText.current = boxes[at] ?? '';
    if (text && boxes[at]) go(next);
    onCode?.(boxes.join(''));
  };
  const go = (to: number) => {
    const input = inputs()[Math.max(0, Math.min(to, LENGTH - 1))];
    input?.focus();
    input?.select();
  };

  useImperativeHandle(ref, () => ({
    clear: () => {
      for (const input of inputs()) input.value = '';
      go(0);
    },
    focus: () => {
      // Who types while the page wakes stays in their box: the next digit would replace the first.
      if (!group.current?.contains(document.activeElement)) go(0);
    },
  }));

  useEffect(() => {
    // Before the page woke up, a box took all that was typed.
    const all = inputs();
    const at = all.findIndex((input) => input.value.length > 1);
    if (at >= 0) put(at, all[at]?.value ?? '');
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when the page wakes up
  }, []);

  useMessageCode((code) => put(0, code), group);

  const onInput = (event: FormEvent<HTMLInputElement>, at: number) => {
    const { data, inputType } = event.nativeEvent as InputEvent;
    const typed = inputType === 'insertText' && data !== null ? latinDigits(data) : null;
    const digits = otpDigits(givenText(event.currentTarget.value, typed));
    if (!digits && event.currentTarget.value) {
      // A letter changes nothing: the replaced digit comes back.
      event.currentTarget.value = lastText.current;
      event.currentTarget.select();
    } else {
      put(at, digits);
    }
  };
  const onPaste = (event: ClipboardEvent, at: number) => {
    event.preventDefault();
    const digits = otpDigits(event.clipboardData.getData('text'));
    if (!digits) return;
    put(at, digits);
    // A paste that is handled here causes no input event, so the form is notified.
    group.current?.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>, at: number) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: LENGTH - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      go(to);
    } else if (event.key === 'Backspace' && event.currentTarget.value === '' && at > 0) {
      event.preventDefault();
      put(at - 1, '');
      go(at - 1);
    }
  };

  return (
    <fieldset
      ref={group}
      name={name}
      suppressHydrationWarning
      aria-describedby={error || isOver ? `${name}-err` : `${name}-hint`}
    >
      <legend className={styles.legend}>{legend}</legend>
      {error ? (
        // In place of the hint, so that nothing moves.
        <FieldError id={name} error={error} />
      ) : (
        <p className={styles.hint} id={`${name}-hint`} suppressHydrationWarning>
          {hint}
        </p>
      )}
      <div
        className={isOver ? `${styles.boxes} ${styles.over}` : styles.boxes}
        // Without JavaScript the server knows what became of the code; a browser hears of it later.
        suppressHydrationWarning
      >
        {Array.from({ length: LENGTH }, (_, at) => [
          at === LENGTH / 2 && <span key="dash" aria-hidden="true" />,
          <input
            key={at}
            className={styles.box}
            name={name}
            id={at === 0 ? name : `${name}-${at + 1}`}
            type="text"
            inputMode="numeric"
            autoComplete={at === 0 ? 'one-time-code' : 'off'}
            enterKeyHint={at === LENGTH - 1 ? 'go' : 'next'}
            spellCheck={false}
            autoCapitalize="off"
            aria-label={fill(widgets.otp.box, { n: at + 1, total: LENGTH })}
            aria-invalid={error ? true : undefined}
            aria-describedby={error && at === 0 ? `${name}-err` : undefined}
            onFocus={(event) => {
              lastText.current = event.currentTarget.value;
              event.currentTarget.select();
            }}
            onInput={(event) => onInput(event, at)}
            onPaste={(event) => onPaste(event, at)}
            onKeyDown={(event) => onKeyDown(event, at)}
          />,
        ])}
      </div>
    </fieldset>
  );
}

/** Reads the code from the text message where the browser offers it (WebOTP), until the form is sent. */
function useMessageCode(
  onCode: (code: string) => void,
  group: { current: HTMLFieldSetElement | null },
) {
  const report = useRef(onCode);
  report.current = onCode;
  useEffect(() => {
    if (!('OTPCredential' in window)) return;
    const stop = new AbortController();
    const form = group.current?.closest('form');
    const end = () => stop.abort();
    form?.addEventListener('submit', end);
    const request = { otp: { transport: ['sms'] }, signal: stop.signal };
    navigator.credentials
      .get(request as CredentialRequestOptions)
      .then((credential) => report.current((credential as unknown as { code: string }).code))
      // Refused or aborted: the visitor types the code.
      .catch(() => undefined);
    return () => {
      form?.removeEventListener('submit', end);
      end();
    };
  }, [group]);
}
