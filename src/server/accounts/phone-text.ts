type Number = { readonly dial_code: string; readonly mobile: string };

/**
 * Returns a number with its dial code; '' for none. Most numbers have it in a column of its own. One that came whole, by
 * an import or the help desk, has it in `mobile`, and an empty \`dial_code\`.
 */
export const wholeNumber = ({ dial_code, mobile }: Number): string =>
  mobile === '' ? '' : dial_code + mobile;

/** Returns a number in the international form of its country, as "+1 555 010 0102"; '' for none. */
export async function phoneText(number: Number): Promise<string> {
  if (number.mobile === '') return '';
  // Loaded late: only pages that show a number need the number plans of all countries.
  const { default: parsePhoneNumber } = await import('libphonenumber-js/min');
  const parsed = parsePhoneNumber(wholeNumber(number));
  return parsed?.formatInternational() ?? `${number.dial_code} ${number.mobile}`;
}
