/** A parameter as text; '' for anything that is none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
