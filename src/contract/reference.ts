import * as z from 'zod/mini';
import { OTHER_TEXT_MAX_LENGTH } from '#domain/people/survey.ts';
import { shortText } from './schemas.ts';

export const countryData = z.array(
  z.object({ label: z.string(), value: z.string(), iso: z.string(), example: z.string() }),
);

export const surveyQuery = z.object({
  formLabelId: z.optional(z.string().check(z.regex(/^\d{1,6}$/))),
});
export const surveyData = z.array(
  z.object({ subjectId: z.number(), response: z.string(), responseId: z.number() }),
);

const digits = z.string().check(z.regex(/^\d{1,16}$/));
/** Saved survey answer: all sent as strings (DAT-08). */
export const surveyAnswer = z.strictObject({
  userId: digits,
  responseId: digits,
  subjectId: digits,
  userSubjectDataId: z.string().check(z.maxLength(40)),
  subResponseData: z.string().check(z.maxLength(OTHER_TEXT_MAX_LENGTH)),
});
export const saveSurveyBody = z.array(surveyAnswer).check(z.minLength(1), z.maxLength(20));
export const ownSurveyParams = z.object({ userId: digits });
export const ownSurveyData = z.array(surveyAnswer);
export const savedCountData = z.number();

export const feedbackData = z.array(z.object({ quote: z.string(), name: z.string() }));

/** Whether the visit cookie came along, and the server's time in milliseconds since 1970. */
export const browserData = z.object({ hasCookie: z.boolean(), time: z.number() });

/** The screen that the letters of the help card are for. */
export const pageCodeBody = z.strictObject({ screen: shortText });
export const pageCodeData = z.object({ code: z.string(), remainingMs: z.number() });

/** Public settings of the portal and its hosted login (API-04). */
export const settingsData = z.object({
  hostedLogin: z.object({
    base: z.string(),
    clientId: z.string(),
    realm: z.string(),
    audience: z.nullable(z.string()),
    organization: z.nullable(z.string()),
    scope: z.string(),
    /** The logout call ends the hosted session too; else the browser goes to the hosted login's logout address. */
    endsWithApi: z.boolean(),
  }),
  mainImageMode: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  fullWidthPaths: z.array(shortText),
  /** Milliseconds between the steps of the processing screen, where they are not the usual ones (RED-01). */
  stepGapMs: z.optional(z.number()),
  /** Passkeys, where they work; `automatic`: the browser may make one by itself. */
  keys: z.optional(z.enum(['on', 'automatic'])),
  isCaptchaNeeded: z.boolean(),
  isDemo: z.boolean(),
  help: z.object({ phone: z.string(), email: z.string() }),
});
