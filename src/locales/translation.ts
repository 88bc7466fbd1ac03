/** The names of a text's `{placeholders}`. */
type PlaceholderIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholderIn<Rest>
  : never;

/** A text with each of these placeholders; in any order, because the order of words differs. */
type TextWith<Name extends string> = (
  Name extends unknown ? (text: `${string}{${Name}}${string}`) => void : never
) extends (text: infer Text) => void
  ? Text
  : never;

type Filled<English extends string> = [PlaceholderIn<English>] extends [never]
  ? string
  : TextWith<PlaceholderIn<English>>;

type IsPlural<Texts> = [keyof Texts] extends [Intl.LDMLPluralRule]
  ? 'other' extends keyof Texts
    ? true
    : false
  : false;

/**
 * What a language needs in the place of these English texts: the same keys, the same placeholders, and each plural form
 * that `Form` names (`Intl.PluralRules` has the list of a language).
 */
export type Translation<English, Form extends Intl.LDMLPluralRule> = English extends string
  ? Filled<English>
  : IsPlural<English> extends true
    ? { readonly [Each in Form]: Translation<English['other' & keyof English], Form> }
    : { readonly [Key in keyof English]: Translation<English[Key], Form> };

/**
 * The paths of the texts that name a placeholder which the English text has not: nobody would fill it. `never` when
 * there is none.
 */
export type Unfilled<English, Own, Path extends string = ''> = Own extends string
  ? [PlaceholderIn<Own>] extends [PlaceholderIn<English>]
    ? never
    : Path
  : {
      [Key in keyof Own & (string | number)]: Unfilled<
        IsPlural<English> extends true
          ? English['other' & keyof English]
          : English[Key & keyof English],
        Own[Key],
        `${Path}/${Key}`
      >;
    }[keyof Own & (string | number)];

/** The same texts in whatever language. */
export type InAnyLanguage<English> = English extends string
  ? string
  : { readonly [Key in keyof English]: InAnyLanguage<English[Key]> };
