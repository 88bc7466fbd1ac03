import { useState } from 'react';
import { newPassword as t } from '#texts/new-password.ts';
import { passwordChecklist } from '#domain/proofs/password-policy.ts';
import type { Problems } from '../lib/form-values.ts';
import { Note } from './note.tsx';
import { PasswordChecklist } from './password-checklist.tsx';
import { PasswordField } from './password-field.tsx';

const RULES = {
  length: t.ruleLength,
  uppercase: t.ruleUppercase,
  alphanumeric: t.ruleAlphanumeric,
  special: t.ruleSpecial,
} as const;

type PasswordPairProps = {
  label: string;
  confirmLabel: string;
  problems: Problems<'password' | 'confirmPassword'>;
  /** It is the whole form: Enter in the last field sends it, and no star is needed. */
  isWhole?: boolean;
};

/** Renders a new password with its live rules, and its repetition (SUP-05, SUP-12, PWD-05). */
export function PasswordPair({
  label,
  confirmLabel,
  problems,
  isWhole = false,
}: PasswordPairProps) {
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const rows = passwordChecklist(password).map((rule) => ({ ...rule, label: RULES[rule.id] }));
  return (
    <>
      <div>
        <PasswordField
          name="password"
          label={label}
          hint={t.ruleAlphanumericHint}
          required={isWhole ? 'unmarked' : true}
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
          label={confirmLabel}
          required={isWhole ? 'unmarked' : true}
          autoComplete="new-password"
          enterKeyHint={isWhole ? 'go' : 'next'}
          onText={setConfirmation}
          error={problems.confirmPassword}
        />
        {confirmation !== '' && confirmation === password && (
          <Note icon="circle-check">{t.passwordsMatch}</Note>
        )}
      </div>
    </>
  );
}
