import { Fragment, type ReactNode } from 'react';
import { addressPieces, maskedParts, telOf } from '#domain/text/contact-text.ts';
import { fill } from '#locales/fill.ts';
import { widgets } from '#texts/widgets.ts';

/** A longer piece may break within, because a phone with the largest letters has no room for it. */
const LONG_PIECE = /[^@.]{16}/;

type AddressProps = { readonly email: string; readonly isLink?: boolean };

/** Draws an email address: it breaks only after '@' and before '.', and a mask is heard as words. */
export function Address({ email, isLink = false }: AddressProps) {
  const pieces = addressPieces(email);
  const isLong = LONG_PIECE.test(email);
  const masked = maskedParts(email);
  const drawn = (
    <bdi dir="ltr" className={isLong ? undefined : 'whole'} aria-hidden={masked ? true : undefined}>
      {pieces.map((piece, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {piece}
        </Fragment>
      ))}
    </bdi>
  );
  if (isLink) return <a href={`mailto:${email}`}>{drawn}</a>;
  if (!masked) return drawn;
  return (
    <>
      {drawn} <span className="visually-hidden">{fill(widgets.maskedEmail, masked)}</span>
    </>
  );
}

type PhoneProps = { readonly number: string; readonly isLink?: boolean };

/** Draws a phone number as the server grouped it, on one line where there is room; a masked one in words. */
export function Phone({ number, isLink = false }: PhoneProps) {
  if (number.includes('•')) return maskedPhoneText(number);
  const drawn = <bdi dir="ltr">{number.replaceAll(' ', '\u00A0')}</bdi>;
  return isLink ? <a href={telOf(number)}>{drawn}</a> : drawn;
}

/** Returns a masked number in words: "phone ending in 42". */
export function maskedPhoneText(number: string): string {
  return fill(widgets.phoneEnding, { digits: number.slice(-2) });
}

/** Draws an address or a number, or several with commas between them. */
export function Contacts({ to }: { readonly to: string }) {
  return to.split(', ').map((each, index) => (
    <Fragment key={each}>
      {index > 0 && ', '}
      {each.includes('@') ? <Address email={each} /> : <Phone number={each} />}
    </Fragment>
  ));
}

/** Puts nodes into the `{placeholders}` of a text. */
export function fillNodes(text: string, nodes: Readonly<Record<string, ReactNode>>): ReactNode {
  return text
    .split(/\{(\w+)\}/)
    .map((part, index) => <Fragment key={index}>{index % 2 === 0 ? part : nodes[part]}</Fragment>);
}
