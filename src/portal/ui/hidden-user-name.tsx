/** Renders the account of a new password for password managers; hidden from people. */
export function HiddenUserName({ value }: { value: string }) {
  return (
    <input
      className="visually-hidden"
      type="text"
      name="username"
      autoComplete="username"
      defaultValue={value}
      tabIndex={-1}
      aria-hidden="true"
      readOnly
    />
  );
}
