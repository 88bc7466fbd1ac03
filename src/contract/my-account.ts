import type { System } from '#domain/text/browser-name.ts';
import type { CallOffer } from '#domain/proofs/delivery.ts';
import type { Preferences } from '#domain/looks/display.ts';
import type { SurveyAnswer, SurveyOption } from '#domain/people/survey.ts';
import type { accountProblems } from '#texts/my-account.ts';
import type { AccountOrganisation } from './organisation.ts';
import type { HelperState } from '#domain/people/helpers.ts';
import type { FieldMessage } from '#texts/fields.ts';
import type { HelperProblem } from '#texts/helper-problems.ts';
import type { PasswordMessage } from '#texts/passwords.ts';
import type { ProblemMessage } from '#texts/problems.ts';

/** One session of the account. */
export type AccountDevice = {
  readonly id: string;
  /** The browser's family, such as "Firefox on Windows"; `null`: unknown, or an application alone. */
  readonly name: string | null;
  readonly system: System | null;
  /** Milliseconds since its last request. */
  readonly agoMs: number;
  /** It is the session of this page. */
  readonly isHere: boolean;
};

/** A session that the person has just ended. */
export type EndedDevice = Pick<AccountDevice, 'id' | 'name' | 'system'>;

/** The sign-in before this one. */
export type LastSignIn = {
  /** The weekday or date and the time; `null`: the operator set no time zone. */
  readonly when: string | null;
  readonly agoMs: number;
  /** As of a session: "Firefox on Windows". */
  readonly device: string | null;
  /** It was in this browser. */
  readonly isHere: boolean;
};

/** Email and phone: what waits for its code, and what can still be undone. */
export type AccountContacts = {
  /** With an Auth0 tenant the address is changed there. */
  readonly isEmailHere: boolean;
  /** A new contact of this session that waits for its code, whole; `lost`: why that code cannot arrive. */
  readonly waitsFor:
    | { readonly contact: 'email' | 'phone'; readonly to: string; readonly lost: string | null }
    | undefined;
  readonly isEmailChanged: boolean;
  readonly isPhoneChanged: boolean;
  /** The weekdays on which the mail to the old address still undoes the change; `null` for no such change. */
  readonly undo: { readonly until: string; readonly days: readonly string[] } | null;
};

/** Codes from an app in place of mailed ones. */
export type AccountAppCode = {
  readonly isOn: boolean;
  /** Milliseconds since it was set up, and the number of unused recovery codes: on its own page. */
  readonly agoMs: number;
  readonly left: number;
  /** The key that waits for its first code: in groups, and as the path of a picture. */
  readonly setUp: {
    readonly key: string;
    readonly qr: { readonly size: number; readonly path: string };
  } | null;
};

export type AccountKey = {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since it was added and last used; `null`: never. */
  readonly addedAgoMs: number;
  readonly usedAgoMs: number | null;
  /** It works on the person's other devices of the same kind. */
  readonly isSynced: boolean;
  /** A backup was restored: it needs password and code once. */
  readonly needsCode: boolean;
  /** The domain that it was made for, where that is another one by now. */
  readonly otherDomain: string | null;
};

/** The passkeys of the account, and what a device needs to be told of them. */
export type AccountKeys = {
  readonly rpId: string;
  /** The account's name on devices; `null` before its first key. */
  readonly handle: string | null;
  readonly list: readonly AccountKey[];
  /** The list has every good key: no backup was restored. */
  readonly isComplete: boolean;
};

/** What is wrong with a field: the key of its text, and the minutes to wait where the text names them. */
export type AccountProblem = {
  readonly message: FieldMessage | PasswordMessage | ProblemMessage | HelperProblem | OwnMessage;
  readonly minutes: number;
};

/** Messages of these pages alone. */
type OwnMessage = keyof typeof accountProblems;

/** A page that a mailed link opened: the undo of a changed contact, or the older proof for a new password. */
export type MailLink = {
  /** `accepted`, `declined`: the answer to an invitation. */
  readonly state: 'open' | 'over' | 'accepted' | 'declined';
  /** The last digits of the phone that gives the older proof; `null` for none. */
  readonly phone: string | null;
  /** A code was sent there, and this page waits for it. */
  readonly isCodeSent: boolean;
  readonly problem: AccountProblem | null;
  /** A change that the help desk was asked for: what the page asks; `null` on other pages. */
  readonly staffChange: LinkedStaffChange | null;
  /** An invitation; `null` on other pages. */
  readonly invitation: LinkedInvitation | null;
};

export type LinkedInvitation = {
  /** The name of the sender. */
  readonly by: string;
  /** The name of the house. */
  readonly house: string;
  /** What the person would do, in words of the page's language. */
  readonly role: string;
  readonly email: string;
  readonly key: string;
  /** The organisation by which the person could come in; `null` for none. */
  readonly organisation: { readonly id: string; readonly label: string } | null;
  /** The name of another person whose session this browser has; `null` for none. */
  readonly signedInAs: string | null;
  readonly problems: Readonly<Record<string, AccountProblem>>;
};

export type LinkedStaffChange = {
  readonly what: 'email' | 'phone' | 'key' | 'appCode';
  /** The new address, masked, or the new number; '' for none. */
  readonly to: string;
  /**
   * `stop`: the link stops the change; `stopByPassword`: the link and the password together stop it; `proof`: the link is
   * the proof; `begun`: its 72 hours run; `nothing`: a second staff member is next.
   */
  readonly asks: 'stop' | 'stopByPassword' | 'proof' | 'password' | 'begun' | 'nothing';
  /** The new mailbox has not answered yet. */
  readonly asksMailbox: boolean;
  /** A passkey of the account would prove it, after a sign-in. */
  readonly hasKey: boolean;
  /** What was wrong with the password, or with the press; a problem of the phone's code is the page's. */
  readonly problem: AccountProblem | null;
};

/** One trusted helper of the account. */
export type AccountHelper = {
  readonly id: string;
  /** The name; the address as it was typed until they said yes. */
  readonly name: string;
  /** What they are to the person, as it was typed. */
  readonly relation: string;
  readonly state: HelperState;
  /** As "2027-11-24". */
  readonly endsOn: string;
};

/** One person whom the account helps, or is asked to help. */
export type AccountPerson = {
  /** The id of the help, not of the person. */
  readonly id: string;
  readonly name: string;
  readonly firstName: string;
  /** False while the account has not answered. */
  readonly isHelping: boolean;
  /** As "2027-11-24". */
  readonly endsOn: string;
  /** `null`: not asked for. */
  readonly canSignIn: boolean | null;
};

/** The code that proves, once more, who the person is. */
export type StepUpCode = {
  /** False while each contact of the account was changed within 72 hours, and where the page needs no code. */
  readonly canBeSent: boolean;
  /** The masked destinations of the code that the page waits for; `null`: none was sent. */
  readonly sentTo: string | null;
  /** Why it cannot arrive; `null` while it may. */
  readonly lost: string | null;
};

/** The data of the pages of My account: the server reads the parts that a page shows; other parts are empty. */
export type AccountData = {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** Grouped, with its dial code; '' for none. */
  readonly phone: string;
  readonly devices: readonly AccountDevice[];
  /** Other devices whose session ended in the last minutes: on the page of devices. */
  readonly endedDevices: readonly EndedDevice[];
  /** `null`: unknown, and on other pages. */
  readonly lastSignIn: LastSignIn | 'none' | null;
  readonly contacts: AccountContacts;
  readonly answers: readonly SurveyAnswer[];
  readonly surveyOptions: readonly SurveyOption[];
  /** The choices of display that travel with the account; `null`: none were saved. */
  readonly display: Preferences | null;
  /** The date on which the account is erased; `null`: the person did not ask for it. */
  readonly closesOn: string | null;
  /** `null`: keys are switched off. */
  readonly keys: AccountKeys | null;
  /** Applications that the person has allowed. */
  readonly apps: readonly { readonly clientId: string; readonly name: string }[];
  readonly helpers: readonly AccountHelper[];
  readonly people: readonly AccountPerson[];
  /** The person proved by a code, less than ten minutes ago, that it is they: a change of a way in is allowed. */
  readonly isFresh: boolean;
  readonly code: StepUpCode;
  /** `null`: no organisation is this person's. */
  readonly organisation: AccountOrganisation | null;
  /** The session opens the console. */
  readonly opensConsole: boolean;
  /** `null`: not offered here, and not set up. */
  readonly appCode: AccountAppCode | null;
  /** The step-up asks for a code of the person's app: none is sent. */
  readonly asksApp: boolean;
  /** New recovery codes: in the answer that made them, and nowhere else. */
  readonly recoveryCodes: readonly string[];
  /** A call that may say that code, and the last one; `null`: none can be made. */
  readonly call: CallOffer | null;
  /** The problems of the sent form, by field. */
  readonly problems: Readonly<Record<string, AccountProblem>>;
  /** What was typed into the sent form, without passwords. */
  readonly typed: Readonly<Record<string, string>>;
};
