import { useState } from 'react';
import { signUp as texts } from '#messages/en/sign-up.ts';
import { passwordChecklist } from '#domain/password-policy.ts';
import type { Problems } from '../../lib/form-values.ts';
import { Note } from '../../ui/note.tsx';
import { PasswordChecklist } from '../../ui/password-checklist.tsx';
import { PasswordField } from '../../ui/password-field.tsx';

const RULES = {
  length: texts.ruleLength,
  uppercase: texts.ruleUppercase,
  alphanumeric: texts.ruleAlphanumeric,
  special: texts.ruleSpecial,
} as const;

/** A new password with its live rules, and the same once more (SUP-05, SUP-12). */
export function PasswordPair({ problems }: { problems: Problems<'password' | 'confirmPassword'> }) {
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const rows = passwordChecklist(password).map((rule) => ({ ...rule, label: RULES[rule.id] }));
  return (
    <>
      <div>
        <PasswordField
          name="password"
          label={texts.password}
          hint={texts.ruleAlphanumericHint}
          required
          autoComplete="new-password"
          enterKeyHint="next"
          onText={setPassword}
          error={problems.password}
        />
        <PasswordChecklist rows={rows} />
      </div>
      <div>
        <PasswordField
          name="confirmPassword"
          label={texts.confirm}
          required
          autoComplete="new-password"
          enterKeyHint="next"
          onText={setConfirmation}
          error={problems.confirmPassword}
        />
        {confirmation !== '' && confirmation === password && (
          <Note icon="circle-check">{texts.passwordsMatch}</Note>
        )}
      </div>
    </>
  );
}
