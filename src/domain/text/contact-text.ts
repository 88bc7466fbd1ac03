import { html, type Markup } from './html.ts';

/** The places where an address may break: after '@' and before '.'. */
export function addressPieces(email: string): readonly string[] {
  return email.match(/\.?[^.@]+@?|[.@]/g) ?? [];
}

/** Returns the readable parts of a masked address such as "j•••@example.org"; `null` for a whole one. */
export function maskedParts(email: string): { first: string; domain: string } | null {
  const [, first, domain] = /^(.*?)•+@(.+)$/.exec(email) ?? [];
  return first !== undefined && domain !== undefined ? { first, domain } : null;
}

/** Returns the address of a link that calls a number. */
export const telOf = (phone: string): string => `tel:${phone.replace(/[^\d+]/g, '')}`;

/** Returns an address as HTML, drawn as on the pages. */
export const addressHtml = (email: string, attributes: Markup = html``): Markup => {
  const pieces = addressPieces(email).map((piece, index) => [index > 0 ? html`<wbr>` : '', piece]);
  return html`<bdi dir="ltr"${attributes}>${pieces}</bdi>`;
};

/** Returns a number as HTML, drawn as on the pages. */
export const phoneHtml = (phone: string, attributes: Markup = html``): Markup =>
  html`<bdi dir="ltr"${attributes}>${phone.replaceAll(' ', '\u00A0')}</bdi>`;
