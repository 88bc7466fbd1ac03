/** The envelope of every `/api` answer (WIR-01). */
export type Envelope<Data> = {
  readonly succeeded: boolean;
  readonly data: Data | null;
  readonly messages: readonly string[];
  readonly errorFlag: string | null;
};
