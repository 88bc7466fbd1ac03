/** A parameter as text; '' for anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
