/** Auth0's calls for a database connection, over the portal's own sign-up and reset (security D29). */

import { z } from 'zod';
import type { ClientDirectory } from '../clients.ts';
import type { Context } from '../context.ts';
import { allowOrigin } from '../cross-origin.ts';
import type { Registrations, Visitor } from '../ports.ts';
import type { OAuthClient } from '../client-port.ts';
import { readJsonObject } from '../request-body.ts';
import { refuse, refuseTooMany, refuseUnverified } from './answers.ts';
import { CONNECTION } from './management/profile.ts';

type Dependencies = {
  readonly registrations: Registrations;
  readonly clients: ClientDirectory;
  readonly visitorOf: (ctx: Context) => Visitor;
};

export type DatabaseConnection = ReturnType<typeof createDatabaseConnection>;

const text = z.string().trim().max(200);
const signUpSchema = z.object({
  email: z.string().trim().min(3).max(254),
  password: z.string().min(1).max(1024),
  name: text.optional(),
  given_name: text.optional(),
  family_name: text.optional(),
  phone_number: text.optional(),
  user_metadata: z
    .object({
      phone_number: text.optional(),
      given_name: text.optional(),
      family_name: text.optional(),
    })
    .optional(),
});

/** Auth0 requires only address and password; an account here has a name and a number (IDP-09). */
const MORE_IS_NEEDED =
  'A sign-up here needs given_name, family_name and phone_number besides email and password.';
const RESET_ANSWER = "We've just sent you an email to reset your password.";

function refuseSignUp(ctx: Context, code: string, description: string): void {
  ctx.status = 400;
  ctx.body = { name: 'BadRequestError', code, description, statusCode: 400 };
}

/** Refuses a weak password: the portal's rule in Auth0's shape. */
function refuseWeak(ctx: Context): void {
  ctx.status = 400;
  ctx.body = {
    name: 'PasswordStrengthError',
    code: 'invalid_password',
    message: 'Password is too weak',
    description: {
      verified: false,
      rules: [
        {
          code: 'lengthAtLeast',
          message: 'At least %d characters in length',
          format: [8],
          verified: false,
        },
        {
          code: 'containsAtLeast',
          message: 'Lower case, upper case, number and special character',
          verified: false,
        },
      ],
    },
    policy:
      '* At least 8 characters in length\n* Lower case, upper case, number and special character',
    statusCode: 400,
  };
}

/** Refuses an easily guessed password, in Auth0's format for a password from its dictionary. */
function refuseGuessable(ctx: Context, description: string): void {
  ctx.status = 400;
  ctx.body = {
    name: 'PasswordDictionaryError',
    code: 'password_dictionary_error',
    message: 'Password is too common',
    description,
    statusCode: 400,
  };
}

/** Creates the handlers of `dbconnections/…`. */
export function createDatabaseConnection(deps: Dependencies) {
  const { registrations, clients, visitorOf } = deps;

  /** Returns body and client of a request from a page of a known client; null when the request has been refused. */
  async function admit(ctx: Context) {
    const body = await readJsonObject(ctx.req);
    const client: OAuthClient | undefined = await clients.find(body.client_id);
    const origin = ctx.get('Origin');
    if (!client || (origin && !clients.mayPostFrom(client, origin))) {
      refuse(ctx, 403, 'unauthorized_client', 'Unknown client or origin.');
      return null;
    }
    allowOrigin(ctx, clients, client);
    if (body.connection === CONNECTION) return { body, client };
    refuse(ctx, 400, 'invalid_request', 'Connection does not exist.');
    return null;
  }

  return {
    async signUp(ctx: Context): Promise<void> {
      const admitted = await admit(ctx);
      if (!admitted) return;
      const parsed = signUpSchema.safeParse(admitted.body);
      if (!parsed.success) return refuseSignUp(ctx, 'invalid_signup', 'Invalid sign up');
      const form = typedForm(parsed.data);
      if (!form.givenName || !form.familyName || !form.phone) {
        return refuseSignUp(ctx, 'invalid_signup', MORE_IS_NEEDED);
      }
      const outcome = await registrations.signUp(form, visitorOf(ctx));
      switch (outcome.kind) {
        case 'created':
          ctx.body = { _id: outcome.accountId, email: form.email, email_verified: false };
          return;
        case 'exists':
          return refuseSignUp(ctx, 'user_exists', 'The user already exists.');
        case 'weakPassword':
          return refuseWeak(ctx);
        case 'guessablePassword':
          return refuseGuessable(ctx, outcome.messages.join(' '));
        case 'proofNeeded':
          return refuseUnverified(ctx);
        case 'invalid':
          return refuseSignUp(ctx, 'invalid_signup', outcome.messages[0] ?? 'Invalid sign up');
        case 'blocked':
          return refuseTooMany(ctx, outcome.retryAfterSeconds);
      }
    },

    /** Gives the same answer for every address, so that it discloses no accounts. */
    async changePassword(ctx: Context): Promise<void> {
      const admitted = await admit(ctx);
      if (!admitted) return;
      const { body, client } = admitted;
      const email = z.string().trim().min(3).max(254).safeParse(body.email);
      if (!email.success) return refuseSignUp(ctx, 'invalid_email', 'email is required');
      const waitSeconds = await registrations.askReset(email.data, visitorOf(ctx), client.clientId);
      if (waitSeconds > 0) return refuseTooMany(ctx, waitSeconds);
      ctx.type = 'html';
      ctx.body = RESET_ANSWER;
    },
  };
}

/** Returns what a person typed; the names may come as one, and all of it beside the fields of Auth0. */
function typedForm(sent: z.output<typeof signUpSchema>) {
  const { email, password, name = '', user_metadata: more = {} } = sent;
  const [first = '', ...rest] = name.split(/\s+/);
  return {
    email,
    password,
    givenName: sent.given_name ?? more.given_name ?? first,
    familyName: sent.family_name ?? more.family_name ?? rest.join(' '),
    phone: sent.phone_number ?? more.phone_number ?? '',
  };
}
