import { type ComponentType, useRef, useState } from 'react';
import { otp as t } from '#texts/otp.ts';
import type { OtpMode } from '#domain/flow/visit.ts';
import { useServerState, useAction } from '../../lib/form-actions.ts';
import { lazily } from '../../lib/lazily.ts';
import { orNatively } from '../../lib/native-form.ts';
import { Icon } from '../../ui/icon.tsx';
import { CallUs, Face } from './choice-parts.tsx';
import styles from './choices.module.css';

type Form = ComponentType<{ readonly onKeep: () => void }>;

const loadForm = lazily(() => import('./change-address-form.tsx'));

type ChangeAddressProps = {
  readonly mode: OtpMode;
  /** The failure of the message that did not arrive. */
  readonly failed: string | null;
};

/** Offers "Change the address": a form for a pending sign-up. For an account, the help desk changes contacts. */
export function ChangeAddress({ mode, failed }: ChangeAddressProps) {
  const [open, setOpen] = useServerState<{ readonly Form: Form } | null>('change', null);
  const opener = useRef<HTMLButtonElement>(null);
  const [isComing, setComing] = useState(false);
  const keep = () => {
    setOpen(null);
    opener.current?.focus();
  };
  const press = async () => {
    if (open) return keep();
    // One choice is open at a time; without script each page opens one alone.
    if (!import.meta.env.SSR) document.querySelector('details')?.removeAttribute('open');
    if (mode !== 'signUp') return setOpen({ Form: OfAccount });
    setComing(true);
    const { ChangeAddressForm } = await loadForm().finally(() => setComing(false));
    setOpen({ Form: ChangeAddressForm });
  };
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- a constant of each build
  if (import.meta.env.SSR) useAction('open:change-address', press);
  return (
    <>
      <button
        ref={opener}
        type="submit"
        form="action"
        name="action"
        value="open:change-address"
        className={styles.choice}
        aria-expanded={open !== null}
        aria-disabled={isComing || undefined}
        onClick={(event) => {
          event.preventDefault();
          if (!isComing) void press().catch(orNatively('open:change-address'));
        }}
      >
        <Face icon="pencil" title={t.change}>
          {failed ?? (mode === 'signUp' ? t.orNumber : t.withUs)}
        </Face>
        <Icon name="chevron-down" className={styles.chevron} />
      </button>
      {open && (
        <div className={styles.panel} data-help={mode === 'signUp' ? undefined : true}>
          <open.Form onKeep={keep} />
        </div>
      )}
    </>
  );
}

function OfAccount() {
  return (
    <>
      <p>{t.ofAccount}</p>
      <CallUs lead={t.toChange} />
    </>
  );
}
