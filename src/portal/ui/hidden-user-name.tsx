/** Tells a password manager whose new password this is; hidden from everybody else. */
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
