import type { Language } from '#locales/languages.ts';

export const DEFAULT_SUBTENANT_ID = 742;
export const ACADEMY_SUBTENANT_ID = 3;
const MAX_SUBTENANT_ID = 2 ** 31 - 1;

/** The screen's data of a subtenant. */
export type Subtenant = {
  readonly id: number;
  readonly name: string;
  readonly logoUrl: string;
  /** `#RRGGBB`, or `null` for the product's own colour. */
  readonly accent: string | null;
  /** The language of its people, where an operator set one. */
  readonly language?: Language;
  /** The hours of its help phone; absent: those of the service. */
  readonly helpHours?: string;
  /** Those whose people sign in by a provider of their own; absent where there are none. */
  readonly organisations?: readonly OrganisationButton[];
};

/** The button of an organisation on the sign-in pages of its subtenant. */
export type OrganisationButton = {
  readonly id: string;
  readonly label: string;
  /** Its people sign in by it alone. */
  readonly isOnly: boolean;
};

/** The product's own look: shown before an operator has set up the default subtenant, and where no house is named. */
export const PRODUCT_LOOK: Subtenant = {
  id: DEFAULT_SUBTENANT_ID,
  name: 'Porchlight',
  logoUrl: '/logos/porchlight.svg',
  accent: null,
};

/** Parses a subtenant id of a query or of storage; returns `null` for anything but a whole number from 1. */
export function parseSubtenantId(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,10}$/.test(text)) return null;
  const id = Number(text);
  return id >= 1 && id <= MAX_SUBTENANT_ID ? id : null;
}

/** Returns whether a subtenant is the academy. */
export function isAcademy(subtenantId: number): boolean {
  return subtenantId === ACADEMY_SUBTENANT_ID;
}
