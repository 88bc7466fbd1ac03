import type { ButtonHTMLAttributes } from 'react';
import { buttonClass } from './button.tsx';

type SubmitProps = {
  variant?: Parameters<typeof buttonClass>[0];
  wide?: boolean;
} & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style' | 'type'>;

/** Renders the button of a form that the browser sends itself. */
export const Submit = ({ variant, wide, ...rest }: SubmitProps) => (
  <button {...rest} type="submit" className={buttonClass(variant, wide)} />
);
