/** Returns the number as it follows its dial code: without the national prefix, where a country has one. */
export async function nationalNumber(dialCode: string, number: string): Promise<string> {
  // Loaded late: only the first sign-up needs the number plans of all countries.
  const { default: parsePhoneNumber } = await import('libphonenumber-js/min');
  const parsed = parsePhoneNumber(`${dialCode}${number}`);
  return parsed && `+${parsed.countryCallingCode}` === dialCode ? parsed.nationalNumber : number;
}
