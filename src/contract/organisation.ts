/** What pages show of an organization's sign-in. */

/** The page after an answer that let nobody in. */
export type OrganisationPage = {
  readonly id: string;
  readonly label: string;
  readonly why: 'unlinked' | 'elsewhere' | 'suspended' | 'down' | 'refused';
  /** The person's name over there. */
  readonly cameAs: string | null;
  /** Whom to ask; `null`: the help line. */
  readonly helpName: string | null;
  readonly helpPhone: string | null;
  /** Times of the day, in words. */
  readonly since: string | null;
  readonly tried: string | null;
};
