import { useEffect, useRef } from 'react';
import { otp as t } from '#texts/otp.ts';
import { fields } from '#texts/fields.ts';
import { check, checkEmail } from '#domain/typed/validation.ts';
import type { TypedPhone } from '#domain/flow/terms.ts';
import { phoneRule } from '#domain/typed/phone.ts';
import { fieldProblem } from '../../flow/form-problem.tsx';
import { PhoneRow } from '../../flow/phone-row.tsx';
import { useFlowAt, useAppContext } from '../../flow/app-context.ts';
import { useForm } from '../../lib/form.ts';
import type { FormValues } from '../../lib/form-values.ts';
import { setItem } from '../../lib/storage.ts';
import { Button } from '../../ui/button.tsx';
import { EmailField } from '../../ui/email-field.tsx';
import { FieldHint } from '../../ui/stack.tsx';
import { announce } from '../../ui/live-region.tsx';
import { Note } from '../../ui/note.tsx';

type Field = 'email' | 'phone' | 'country' | 'dialCode';

/** Corrects the address and the number of a pending sign-up. The server keeps the rest of the form. */
export function ChangeAddressForm({ onKeep }: { onKeep: () => void }) {
  const { flow } = useAppContext();
  const state = useFlowAt('otp');
  const email = state?.otp.email ?? '';
  const before = state?.signUpData ?? null;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('input')?.focus(), []);
  const form = useForm<Field>({
    id: 'change-address',
    validate(values) {
      const problem = checkEmail(values.text('email'));
      return { email: problem && fields[problem], phone: phoneProblem(values) };
    },
    async onSubmit(values) {
      const typed = values.text('email').trim();
      announce(t.sendingThere);
      await flow.send({ type: 'addressGiven', email: typed, phone: phoneOf(values) });
      const after = flow.get();
      if (after.at !== 'otp' || after.otp.email === typed) setItem('typedEmail', typed);
      return after.at === 'otp' ? fieldProblem(after.problem) : {};
    },
  });
  return (
    <form {...form.props}>
      <div ref={box}>
        <EmailField
          label={t.newAddress}
          initial={email}
          error={form.problems.email}
          enterKeyHint="go"
          required="unmarked"
        />
      </div>
      <PhoneRow error={form.problems.phone} initial={before} required={false} />
      {!before && <Note icon="info">{t.keepNumber}</Note>}
      <FieldHint>
        <Button
          type="submit"
          variant="secondary"
          pending={form.isPending}
          pendingLabel={t.sendingThere}
        >
          {t.sendThere}
        </Button>
        <Button variant="quiet" onClick={onKeep}>
          {t.keepAddress}
        </Button>
      </FieldHint>
    </form>
  );
}

/** Returns the entered number; an empty field keeps the earlier one. */
function phoneOf(values: FormValues<Field>): TypedPhone | null {
  const dialCode = values.text('dialCode');
  const phone = phoneRule(dialCode).normalize(values.text('phone'));
  return phone === '' ? null : { country: values.text('country'), dialCode, phone };
}

function phoneProblem(values: FormValues<Field>): string | undefined {
  const phone = values.text('phone');
  const checked = check({ phone: phoneRule(values.text('dialCode')) }, { phone });
  const problem = checked.isValid ? undefined : checked.problems.phone;
  // An empty field keeps the earlier number.
  return problem && problem !== 'phoneRequired' ? fields[problem] : undefined;
}
