import type { Outcome } from '#domain/help-desk/outcome.ts';
import type { ConsoleArea } from '#domain/help-desk/console-paths.ts';
import type { ConsoleRole } from '#domain/help-desk/console-rights.ts';
import { type ConsoleVerb, isGrave, type VerbRest } from '#domain/help-desk/console-verbs.ts';
import type { DeliveryReason, DeliveryState } from '#domain/proofs/delivery.ts';
import type { MessageChannel } from '#domain/proofs/otp.ts';
import type { RoleId } from '#domain/people/roles.ts';
import type { ScreenName } from '#domain/flow/screens.ts';
import type { SignInStage } from '#domain/flow/visit.ts';
import type { AccentPair } from '#domain/looks/theme.ts';
import type { SignInStep, StopCause } from '#domain/flow/sign-in-steps.ts';
import type { SignInCause } from '#domain/help-desk/why-cannot-sign-in.ts';
import type { StepUpCode } from './my-account.ts';

/* The data of the console's pages: the server reads it for each page, and a form changes it. */

/** The staff member and the fields that each form sends along. */
export type ConsoleFrame = {
  readonly staff: { readonly name: string; readonly role: ConsoleRole; readonly subtenant: string };
  readonly xsrf: string;
  /** A value of this page alone. */
  readonly once: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly timeZone: string;
  /** The areas that this server has and the staff member may open. */
  readonly areas: readonly ConsoleArea[];
  /** The area of this page. */
  readonly area: ConsoleArea | 'more';
};

/** The header of a request by which an open page follows what happens: it is no press of the staff member. */
export const FOLLOW_HEADER = 'x-porchlight-follow';

export const PEOPLE_FILTERS = ['all', 'off', 'waiting'] as const;
export type PeopleFilter = (typeof PEOPLE_FILTERS)[number];
export const PEOPLE_ORDERS = ['name', 'newest'] as const;
export type PeopleOrder = (typeof PEOPLE_ORDERS)[number];

/** A search as its address has it. */
export type PeopleQuery = {
  readonly text: string;
  readonly filter: PeopleFilter;
  readonly order: PeopleOrder;
  /** From 1. */
  readonly page: number;
};

export type FoundPerson = {
  readonly id: number;
  readonly name: string;
  /** Masked. */
  readonly email: string;
  readonly subtenant: string;
  readonly cause: SignInCause;
  /** Epoch milliseconds; `null`: never, or longer ago than the log. */
  readonly lastSignIn: number | null;
  /** Found by an address that was changed then, in epoch milliseconds; `null`: by something else. */
  readonly movedAt: number | null;
};

type HomePerson = { readonly id: number; readonly name: string };

/** What waits for a staff member; the counts are of today. */
export type ConsoleHome = {
  /** People with a change that waits for a colleague of the one who asked. */
  readonly changes: readonly HomePerson[];
  readonly cameBack: number;
  readonly pageCodes: number;
  /** The last people that the staff member opened. */
  readonly looked: readonly HomePerson[];
  readonly signIns: number;
};

export type SearchPage = {
  readonly kind: 'search';
  /** `null`: something was searched for. */
  readonly home: ConsoleHome | null;
  readonly query: PeopleQuery;
  /** `null`: nothing was asked yet. */
  readonly found: {
    readonly people: readonly FoundPerson[];
    readonly counts: Readonly<Record<PeopleFilter, number>>;
    readonly pages: number;
    /** There are more than the search looks at. */
    readonly hasMore: boolean;
  } | null;
};

/** One line of what happened to a person. */
export type TimelineEntry = {
  readonly at: number;
  readonly request: string | null;
} & (
  | {
      readonly kind: 'event';
      readonly event: string;
      readonly isFailure: boolean;
      /** Of its kind directly after each other. */
      readonly times: number;
      /** The staff member or operator; `null`: the person, or the server. */
      readonly by: string | null;
      readonly isByMe: boolean;
    }
  | {
      readonly kind: 'message';
      readonly channel: MessageChannel;
      readonly state: DeliveryState;
      readonly reason: DeliveryReason | null;
    }
);

/** A verb on the person's page. */
export type OfferedVerb = { readonly verb: ConsoleVerb; readonly rest: VerbRest | null };

export type ConsolePersonData = {
  readonly id: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  readonly subtenant: string;
  readonly roles: readonly RoleId[];
  readonly since: number;
  readonly trialEnds: number | null;
};

/** Why the person cannot sign in, with the values of its words. */
export type ConsoleCause = {
  readonly cause: SignInCause;
  readonly until: number | null;
  readonly module: string;
  /** The label of the organization; '' for none. */
  readonly organisation: string;
  readonly reason: DeliveryReason | null;
  /** The verb that mends it, if it may be done now. */
  readonly mend: ConsoleVerb | null;
  /** What was asked for and has not happened yet: the verb is not offered again beside the sentence. */
  readonly waitsFor: 'resetLink' | 'message' | null;
};

export type WayToSignIn = {
  readonly way: 'password' | 'mail' | 'text' | 'app' | 'organisation';
  /** `rests`: it would work, but the account is not on, or an organization's sign-in is the only way in. */
  readonly state: 'works' | 'fails' | 'none' | 'rests' | 'away' | 'off';
  /** When it last worked or failed. */
  readonly at: number | null;
};

export type PersonPage = {
  readonly kind: 'person';
  readonly person: ConsolePersonData;
  readonly why: ConsoleCause;
  readonly ways: readonly WayToSignIn[];
  readonly sessions: number;
  readonly helpers: readonly {
    readonly name: string;
    readonly relation: string;
    readonly until: number;
  }[];
  readonly timeline: readonly TimelineEntry[];
  /** So many entries were asked for. */
  readonly most: number;
  /** More entries are older. */
  readonly hasOlder: boolean;
  readonly verbs: readonly OfferedVerb[];
  /** A change of a way in that staff asked for, and that does not count yet. */
  readonly change: {
    readonly what: 'email' | 'phone' | 'key' | 'appCode';
    /** The new address, masked, or the new number; '' for none. */
    readonly to: string;
    readonly askedBy: string;
    readonly askedAt: number;
    readonly waitsFor: 'mailbox' | 'agreement' | 'time';
    readonly dueAt: number | null;
  } | null;
  /** The text of the search that led here; '' for none. */
  readonly search: string;
  /** An administrator's own staff: the way back is their list. */
  readonly isOwnStaff: boolean;
  /** What a verb did a moment ago. */
  readonly did: {
    readonly verb: ConsoleVerb;
    readonly outcome: Outcome;
  } | null;
};

/** The words that the person will get, from the mail's own template. */
export type ToldWords = {
  readonly subject: string;
  readonly lines: readonly string[];
  /** The person reads another language: the same words in the staff's. */
  readonly forStaff: Omit<ToldWords, 'forStaff'> | null;
};

/** How the staff member knows who calls. */
export const CALLER_CHECKS = ['called', 'here', 'other'] as const;
export type CallerCheck = (typeof CALLER_CHECKS)[number] | 'died';

/** Returns the answers that a verb's page offers. `died` stands on the pages that end an account, and stops their mail. */
export const checksOf = (verb: ConsoleVerb): readonly CallerCheck[] =>
  isGrave(verb) ? [...CALLER_CHECKS, 'died'] : CALLER_CHECKS;

/** What a changing form knows of the staff member's own code. */
export type StaffProof = {
  /** A code of the last five minutes, or the form needs none. */
  readonly isFresh: boolean;
  /** The staff member's app has the code: none is sent. */
  readonly asksApp: boolean;
  readonly code: StepUpCode;
};

export type VerbPage = StaffProof & {
  readonly kind: 'verb';
  readonly verb: ConsoleVerb;
  /** `null`: the verb adds a person. */
  readonly person: ConsolePersonData | null;
  readonly rest: VerbRest | null;
  readonly told: ToldWords | null;
  /** The verb's own fields. */
  readonly fields: readonly FormField[];
  /** How the staff member says that the caller is known. */
  readonly how: { readonly value: string; readonly problem: string | null };
  readonly note: FormField;
  /** Of the form as a whole, or of the staff member's own code. */
  readonly problem: string | null;
};

export type DeskLink = { readonly label: string; readonly href: string };

/** A cell of a list: text, or a moment in epoch milliseconds. A file has the moment in ISO 8601. */
export type ListCell =
  | string
  | { readonly at: number }
  | {
      readonly text: string;
      readonly href?: string;
      readonly tone?: 'ok' | 'bad' | 'wait' | 'off';
      /** A moment that is told behind the text. */
      readonly since?: number;
      /** Behind a word that opens it. */
      readonly isFolded?: true;
    };

/** A row; its first cell names it. */
export type ListRow = {
  readonly id: string;
  readonly cells: readonly ListCell[];
  readonly actions?: readonly DeskLink[];
};

export type FieldKind =
  | 'text'
  | 'longText'
  | 'number'
  | 'date'
  | 'search'
  | 'select'
  | 'picture'
  | 'check'
  | 'checks'
  | 'secret'
  | 'file';

/**
 * A field of a form or of the search above a list. A `check` has the value 'on' or '', `checks` have those that are
 * ticked with spaces between them. A `secret` is typed, and never shown again.
 */
export type FormField = {
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly hint?: string | undefined;
  readonly value?: string | undefined;
  readonly problem?: string | undefined;
  /** Of a `text`: the keys that a phone shows, and what a browser fills in. */
  readonly inputMode?: 'numeric' | 'email' | 'tel';
  readonly autoComplete?: 'one-time-code' | 'off';
  /** Of a `select`, of `checks`, and of a `picture`, whose values are addresses of pictures. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  /** Of a `file`: the types, as HTML writes them. */
  readonly accept?: string;
};

/** A list of an area, one page of it. */
export type ListPage = {
  readonly kind: 'list';
  readonly title: string;
  readonly lead: string;
  /** The address of the whole list. */
  readonly path: string;
  /** The search of this page as its address has it. */
  readonly query: string;
  readonly fields: readonly FormField[];
  readonly links: readonly DeskLink[];
  readonly columns: readonly string[];
  readonly rows: readonly ListRow[];
  /** The words for a list without rows. */
  readonly empty: string;
  readonly count: number;
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  /** What was done a moment ago. */
  readonly done: string | null;
};

/** What people will see of a subtenant's look. */
export type BrandPreview = {
  /** The address of the previews, with the values of the form. */
  readonly frames: string;
  /** The contrast of the accent as it was given with white; `null`: the product's own. */
  readonly asGiven: number | null;
  readonly pairs: readonly AccentPair[];
};

/** A form of an area; after it ran, what it tells once. */
export type FormPage = StaffProof & {
  readonly kind: 'form';
  readonly title: string;
  readonly lead: string;
  readonly back: DeskLink;
  /** What changes, one sentence each. */
  readonly changes: readonly string[];
  readonly fields: readonly FormField[];
  readonly submit: string;
  readonly isGrave: boolean;
  /** The problem of the whole form, or of the code. */
  readonly problem: string | null;
  readonly told: FormTold | null;
  /** Shown beside the fields, in place of what changes. */
  readonly brand: BrandPreview | null;
  /** The steps of a set-up, and which of them this page is, from 0; `null`: the form is no step. */
  readonly steps: { readonly names: readonly string[]; readonly at: number } | null;
};

/** The answer to a form that is shown once, in place of the form. */
export type FormTold = {
  readonly lines: readonly string[];
  /** Each part is a card of its own: the first page of a house. */
  readonly isCards?: true;
  /** Facts with a heading of their own, each with its name. */
  readonly parts?: readonly {
    readonly title: string;
    readonly lead?: string;
    readonly rows: readonly (readonly [name: string, text: string])[];
    readonly links?: readonly DeskLink[];
  }[];
  /** What has yet to be done, where it is not the next step alone. */
  readonly ask?: { readonly title: string; readonly text: string };
  /** The way on, in place of the way back. */
  readonly next?: DeskLink;
  /** A value to copy, such as a new secret. */
  readonly secret?: string;
  /** Links to hand out, as a picture code, too. */
  readonly doors?: readonly (DeskLink & {
    readonly qr: { readonly size: number; readonly path: string };
  })[];
  /** The address of a logo, shown on light and on dark. */
  readonly logo?: string;
};

export type MessagePage = {
  readonly kind: 'message';
  readonly message:
    | 'notYours'
    | 'notFound'
    | 'tooMany'
    | 'tooLarge'
    | 'stale'
    | 'noPageCode'
    | 'pageCodesOff';
};

/** The state of a visit, as the help desk sees it: nothing of an account but the masked address that was typed. */
export type VisitFacts<Time> = {
  /** As it is read out. */
  readonly code: string;
  readonly screen: ScreenName;
  readonly stage: SignInStage | 'signUp' | 'nothing';
  /** Masked. */
  readonly address: string | null;
  /** A code was right in this visit: the address is the visitor's. */
  readonly isProven: boolean;
  readonly messages: readonly {
    readonly channel: MessageChannel;
    /** Masked. */
    readonly to: string;
    readonly state: DeliveryState;
    readonly reason: DeliveryReason | null;
    readonly at: Time;
  }[];
  /** The one-time code that the page waits for; `null`: none. */
  readonly otp: {
    readonly sentAt: Time;
    readonly expiresAt: Time;
    readonly wrongTries: number;
    readonly triesLeft: number;
  } | null;
  readonly expiresAt: Time;
};

/** The state of a visit that a page code opened: never an account. */
export type VisitPage = { readonly kind: 'visit' } & VisitFacts<number>;

export type ChannelState = 'working' | 'slow' | 'away' | 'quiet';

/** One way of messages today, from midnight in the zone of the service. */
export type ChannelFigures = {
  readonly channel: MessageChannel;
  readonly state: ChannelState;
  /** Since when it is slow or away; `null`: it is neither, or nobody knows. */
  readonly since: number | null;
  /** The median of the last hour that had messages; `null`: nothing arrived today. */
  readonly seconds: number | null;
  /** Receipts say when messages arrive; without them the figures end when the provider took the message. */
  readonly hasReceipts: boolean;
  /** The medians of the hours of today, counted back from now: the first is shorter; `null`: nothing arrived then. */
  readonly parts: readonly (number | null)[];
  readonly sent: number;
  readonly cameBack: number;
  readonly provider: string;
  /** The other way of a code, if this server has one. */
  readonly spare: MessageChannel | null;
};

export type MessagesPage = {
  readonly kind: 'messages';
  /** Of the day of the figures, in epoch milliseconds. */
  readonly midnight: number;
  readonly channels: readonly ChannelFigures[];
  /** Of the whole service; `null`: only operators see it. */
  readonly waiting: { readonly count: number; readonly oldestMs: number } | null;
  readonly undelivered: readonly ListRow[];
  /** What was done a moment ago. */
  readonly done: string | null;
};

export const FIGURE_PERIODS = ['today', 'week', 'month'] as const;
export type FigurePeriod = (typeof FIGURE_PERIODS)[number];

/** The visits that reached a step, in the order of the steps. */
export type StepFigures = {
  readonly step: SignInStep;
  readonly visits: number;
  /** The visits that came no further, with the most frequent cause. The last step has none. */
  readonly stopped: number;
  readonly cause: StopCause | null;
};

export type HouseFigures = {
  /** `null`: all houses. */
  readonly id: number | null;
  readonly name: string;
  readonly steps: readonly StepFigures[];
};

export type SignInsPage = {
  readonly kind: 'signIns';
  readonly period: FigurePeriod;
  /** The house that is drawn; `null`: all of them. */
  readonly house: number | null;
  readonly drawn: HouseFigures;
  readonly houses: readonly HouseFigures[];
  /** A tenant of another product checks the passwords: the first step is not on record here. */
  readonly hasTenant: boolean;
};

/** The list of the areas that the bar has no room for. */
export type MorePage = { readonly kind: 'more' };

/** The content of a page, without the frame of its staff member. */
export type ConsoleContent =
  | SearchPage
  | PersonPage
  | VerbPage
  | ListPage
  | FormPage
  | MessagePage
  | VisitPage
  | MorePage
  | MessagesPage
  | SignInsPage;

export type ConsolePage = ConsoleFrame & ConsoleContent;

/** A rendered page of the console. */
export type RenderedConsole = {
  readonly html: string;
  readonly title: string;
  /** Runs in the page; `null`: none. */
  readonly script: string | null;
  /** The page has previews of our own pages inside. */
  readonly hasFrames?: boolean;
};
