/** A parameter as text; '' for anything else. */
export const parameterText = (value: unknown): string => (typeof value === 'string' ? value : '');
