import type { FormField } from '#contract/console.ts';
import { FieldError } from '#portal/ui/field.tsx';
import portalField from '#portal/ui/field.module.css';
import styles from './form.module.css';
import parts from './parts.module.css';

/** Renders a field of any kind, with its problem above and its hint below. */
export function Field({ field }: { readonly field: FormField }) {
  const { name, label, kind, hint, problem } = field;
  const described = [problem && `${name}-err`, hint && `${name}-hint`].filter(Boolean).join(' ');
  const input = {
    id: name,
    name,
    className: `${parts.box} ${styles.input}`,
    'aria-invalid': problem ? true : undefined,
    'aria-describedby': described || undefined,
  };
  const more = hint && (
    <p className={parts.small} id={`${name}-hint`}>
      {hint}
    </p>
  );
  return (
    <div className={styles.field}>
      {kind !== 'check' && kind !== 'checks' && (
        <label className={portalField.label} htmlFor={name}>
          {label}
        </label>
      )}
      <FieldError id={name} error={problem} />
      <Control field={field} input={input} />
      {more}
    </div>
  );
}

type ControlProps = {
  readonly field: FormField;
  readonly input: { readonly id: string; readonly name: string };
};

function Control({ field, input }: ControlProps) {
  const { kind, label, value = '', options = [], accept, inputMode, autoComplete = 'off' } = field;
  switch (kind) {
    case 'check':
      return (
        <div className={`${parts.box} ${styles.choice}`}>
          <input {...input} type="checkbox" defaultChecked={value === 'on'} />
          <label htmlFor={input.id}>{label}</label>
        </div>
      );
    case 'select':
      return (
        <select {...input} defaultValue={value}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      );
    case 'picture':
      return (
        <div className={styles.pictures} role="radiogroup" aria-label={label}>
          {options.map((option) => {
            const isChosen = option.value === value;
            const radio = { name: input.name, value: option.value, defaultChecked: isChosen };
            return (
              <label key={option.value} className={`${parts.box} ${styles.choice}`}>
                <input type="radio" id={isChosen ? input.id : undefined} {...radio} />
                <img src={option.value} alt="" />
                {option.label}
              </label>
            );
          })}
        </div>
      );
    case 'checks':
      return (
        <fieldset className={styles.how}>
          <legend>{label}</legend>
          <div className={styles.ticks}>
            {options.map((option, index) => (
              <label key={option.value} className={`${parts.box} ${styles.choice}`}>
                <input
                  id={index === 0 ? input.id : undefined}
                  type="checkbox"
                  name={input.name}
                  value={option.value}
                  defaultChecked={value.split(' ').includes(option.value)}
                />
                {option.label}
              </label>
            ))}
          </div>
        </fieldset>
      );
    case 'secret':
      return <input {...input} type="password" autoComplete="off" spellCheck={false} />;
    case 'longText':
      return <textarea {...input} rows={8} spellCheck={false} defaultValue={value} />;
    case 'file':
      return <input {...input} type="file" accept={accept} />;
    case 'number':
      return <input {...input} inputMode="numeric" autoComplete="off" defaultValue={value} />;
    case 'date':
      return <input {...input} type="date" defaultValue={value} />;
    default:
      return (
        <input
          {...input}
          type={kind === 'search' ? 'search' : 'text'}
          inputMode={inputMode}
          autoComplete={autoComplete}
          spellCheck={false}
          defaultValue={value}
        />
      );
  }
}
