import type { Translation } from '../translation.ts';

/** The Spanish of these English texts. */
export type Spanish<English> = Translation<English, 'one' | 'many' | 'other'>;
