import { useEffect, useRef } from 'react';
import { otp as t } from '#locales/en/otp.ts';
import { fields } from '#locales/en/fields.ts';
import { checkEmail } from '#domain/validation.ts';
import { fieldProblem } from '../../flow/form-problem.tsx';
import { useFlowAt, useAppContext } from '../../flow/app-context.ts';
import { useForm } from '../../lib/form.ts';
import { setItem } from '../../lib/storage.ts';
import { Button } from '../../ui/button.tsx';
import { EmailField } from '../../ui/email-field.tsx';
import { FieldHint } from '../../ui/stack.tsx';
import { announce } from '../../ui/live-region.tsx';

/** Corrects the address of a pending sign-up. The server keeps the rest of the form. */
export function ChangeAddressForm({ onKeep }: { onKeep: () => void }) {
  const { flow } = useAppContext();
  const email = useFlowAt('otp')?.otp.email ?? '';
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('input')?.focus(), []);
  const form = useForm<'email'>({
    id: 'change-address',
    validate(values) {
      const problem = checkEmail(values.text('email'));
      return problem ? { email: fields[problem] } : {};
    },
    async onSubmit(values) {
      const typed = values.text('email').trim();
      announce(t.sendingThere);
      await flow.send({ type: 'addressGiven', email: typed });
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
