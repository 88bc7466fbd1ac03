import { type ComponentType, useRef, useState } from 'react';
import { otp as t } from '#locales/en/otp.ts';
import { useKept } from '../../lib/answering.ts';
import { lazily } from '../../lib/lazily.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/stack.tsx';

type Form = ComponentType<{ readonly onKeep: () => void }>;

const loadForm = lazily(() => import('./change-address-form.tsx'));

/** Opens the form for a mistyped address, which a visitor notices when no code arrives. */
export function ChangeAddress() {
  const [form, setForm] = useKept<{ readonly Form: Form } | null>('change', null);
  const opener = useRef<HTMLButtonElement>(null);
  const [isComing, setComing] = useState(false);
  const open = async () => {
    setComing(true);
    const { ChangeAddressForm } = await loadForm().finally(() => setComing(false));
    setForm({ Form: ChangeAddressForm });
  };
  if (!form) {
    return (
      <Stack>
        <Button
          ref={opener}
          variant="quiet"
          wide={false}
          pending={isComing}
          action="open:change-address"
          onClick={open}
        >
          {t.notYours}
        </Button>
      </Stack>
    );
  }
  const keep = () => {
    setForm(null);
    // The button is back with the next render.
    requestAnimationFrame(() => opener.current?.focus());
  };
  return (
    <Stack>
      <form.Form onKeep={keep} />
    </Stack>
  );
}
