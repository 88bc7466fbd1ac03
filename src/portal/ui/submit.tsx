import type { ButtonHTMLAttributes, FormHTMLAttributes } from 'react';
import { useFormRules } from '../lib/form-actions.ts';
import { buttonClass } from './button.tsx';

type NativeFormProps = { readonly id: string } & FormHTMLAttributes<HTMLFormElement>;

/** Renders a form that the browser sends as it is, with script or without; the server adds its hidden fields. */
export function NativeForm({ id, ...rest }: NativeFormProps) {
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- a constant of each build
  if (import.meta.env.SSR) useFormRules(id, { onSubmit: () => undefined });
  return <form id={id} method="post" {...rest} />;
}

type SubmitProps = {
  variant?: Parameters<typeof buttonClass>[0];
  wide?: boolean;
} & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style' | 'type'>;

/** Renders the button of such a form. */
export const Submit = ({ variant, wide, ...rest }: SubmitProps) => (
  <button {...rest} type="submit" className={buttonClass(variant, wide)} />
);
