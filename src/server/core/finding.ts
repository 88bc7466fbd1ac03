import { doctorCommand as texts } from '#locales/operator/doctor-command.ts';
import { fill } from '#locales/fill.ts';

export type Finding = {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'fault';
  readonly what: string;
  /** The mend; '' for a finding without a fault. */
  readonly mend: string;
};

type Values = Readonly<Record<string, string | number>>;

export const good = (check: string, what: string, values: Values = {}): Finding => ({
  check,
  state: 'ok',
  what: fill(what, values),
  mend: '',
});

export const bad = (
  state: 'warning' | 'fault',
  check: string,
  name: keyof typeof texts,
  values: Values = {},
): Finding => ({
  check,
  state,
  // The line ends it: a reason that is a sentence already would end twice.
  what: fill(texts[name], values).replace(/\.$/, ''),
  mend: fill(texts[`${name}Mend` as keyof typeof texts], values),
});
