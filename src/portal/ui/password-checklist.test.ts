import { expect, test } from 'vitest';
import { checklistSummary } from './password-checklist.tsx';

const row = (label: string, isMet: boolean) => ({ id: label, label, isMet });

test('[SUP-05] names what is missing', () => {
  const rows = [row('At least 8 characters', true), row('One special character', false)];
  expect(checklistSummary(rows)).toBe('1 of 2 password rules met. Missing: one special character.');
});

test('[SUP-05] says when all is met', () => {
  expect(checklistSummary([row('One uppercase', true)])).toBe('All password rules met.');
});
