import { splitAddresses } from '#domain/text/split-addresses.ts';
import { Address } from './contacts.tsx';

/** Draws the addresses within a text that came whole. */
export function WithAddresses({ text }: { readonly text: string }) {
  return splitAddresses(text).map((part, index) =>
    index % 2 === 0 ? part : <Address key={index} email={part} />,
  );
}
