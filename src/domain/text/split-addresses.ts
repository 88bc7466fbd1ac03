/** Splits a text at its addresses: each second part is one. */
export const splitAddresses = (text: string): readonly string[] =>
  text.split(/([^\s@,:;]+@[^\s@,:;]*[^\s@,:;.])/);
