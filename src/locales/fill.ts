/**
 * Puts values into the `{placeholders}` of a text.
 * @throws Error when a placeholder has no value: a half-filled text must never reach a person.
 */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`No value for {${name}} in "${text}"`);
    return String(value);
  });
}
