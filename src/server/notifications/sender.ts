/** The subtenant as a message shows it. */
export type Sender = {
  readonly id: number;
  readonly name: string;
  /** A picture that mail programs draw, in CSS pixels; `null`: the name alone. */
  readonly logo: { readonly url: string; readonly width: number; readonly height: number } | null;
  readonly accent: string | null;
  /** Whom its people call and write to. */
  readonly help: { readonly phone: string; readonly email: string };
};
