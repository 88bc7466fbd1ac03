type Number = { readonly dial_code: string; readonly mobile: string };

/** Returns a number in the international form of its country, as "+1 555 010 0102"; '' for none. */
export async function phoneText({ dial_code: dialCode, mobile }: Number): Promise<string> {
  if (mobile === '') return '';
  // Loaded late: only pages that show a number need the number plans of all countries.
  const { default: parsePhoneNumber } = await import('libphonenumber-js/min');
  return parsePhoneNumber(dialCode + mobile)?.formatInternational() ?? `${dialCode} ${mobile}`;
}
