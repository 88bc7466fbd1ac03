/** What pages show of an organization's sign-in. */

/** The person's own organisation, in My account. */
export type AccountOrganisation = {
  readonly id: string;
  readonly label: string;
  /** The person's name over there; `null`: not linked. */
  readonly linkedAs: string | null;
  /** A directory keeps the person: the link is the organisation's. */
  readonly isKept: boolean;
  /** An operator offers the account to the organisation's directory: the person has yet to agree, or has. */
  readonly handOver: 'asked' | 'agreed' | null;
  /** Who signed in over there for this session, and may be linked by a press. */
  readonly asked: string | null;
};

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
};
