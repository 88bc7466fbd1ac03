/** What every `/api` answer looks like (WIR-01). */
export type Envelope<Data> = {
  readonly succeeded: boolean;
  readonly data: Data | null;
  readonly messages: readonly string[];
  readonly errorFlag: string | null;
};
