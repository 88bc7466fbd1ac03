import parsePhoneNumber from 'libphonenumber-js/min';

/** The number as it follows its dial code: without the zero that people dial at home, where a country has one. */
export function nationalNumber(dialCode: string, number: string): string {
  const parsed = parsePhoneNumber(`${dialCode}${number}`);
  return parsed && `+${parsed.countryCallingCode}` === dialCode ? parsed.nationalNumber : number;
}
