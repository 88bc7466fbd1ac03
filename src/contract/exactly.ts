import type * as z from 'zod/mini';

type ReadonlyDeep<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyDeep<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> }
    : T;

/** Gives a schema the type `T` of the domain. Any difference between the two, either way, is a type error. */
export function exactly<T>() {
  return <Schema extends z.ZodMiniType<T>>(
    schema: T extends ReadonlyDeep<z.output<Schema>> ? Schema : never,
  ): z.ZodMiniType<T> => schema;
}
