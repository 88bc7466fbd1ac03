/** The number as it follows its dial code: without the zero that people dial at home, where a country has one. */
export async function nationalNumber(dialCode: string, number: string): Promise<string> {
  // The plans of all countries: nothing that a server needs before the first sign-up.
  const { default: parsePhoneNumber } = await import('libphonenumber-js/min');
  const parsed = parsePhoneNumber(`${dialCode}${number}`);
  return parsed && `+${parsed.countryCallingCode}` === dialCode ? parsed.nationalNumber : number;
}
