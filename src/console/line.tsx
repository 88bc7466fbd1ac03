type Props = {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly problem?: string | undefined;
  readonly defaultValue?: string | undefined;
  readonly inputMode?: 'numeric' | 'email' | 'tel';
  readonly autoComplete?: string;
};

/** Renders a field of one line, with its problem above. */
export function Line({ name, label, hint, problem, autoComplete = 'off', ...input }: Props) {
  const described = [problem && `${name}-problem`, hint && `${name}-hint`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className="c-field">
      <label htmlFor={name}>{label}</label>
      {problem && <strong id={`${name}-problem`}>{problem}</strong>}
      <input
        {...input}
        id={name}
        name={name}
        autoComplete={autoComplete}
        spellCheck={false}
        aria-invalid={problem ? true : undefined}
        aria-describedby={described || undefined}
      />
      {hint && <p id={`${name}-hint`}>{hint}</p>}
    </div>
  );
}
