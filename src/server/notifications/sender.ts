/** The subtenant as a message shows it. */
export type Sender = {
  readonly id: number;
  readonly name: string;
  /** A picture that mail programs can show, in CSS pixels; `null`: only the name. */
  readonly logo: { readonly url: string; readonly width: number; readonly height: number } | null;
  readonly accent: string | null;
  /** The help contacts of its people. */
  readonly help: { readonly phone: string; readonly email: string };
};
