/** Auth0's tickets: links that a program passes on (IDP-24, IDP-25). */

import { z } from 'zod';
import type { TicketRequest } from '../../user-directory.ts';
import { ManagementProblem } from './problems.ts';
import { CONNECTION } from './profile.ts';

/** Auth0's own default, and the maximum: five days. */
const MAX_LIFE_SECONDS = 432_000;

export const ticketSchema = z.strictObject({
  user_id: z.string().max(64).optional(),
  email: z.string().trim().max(254).optional(),
  /** There is one connection; its name is its id. */
  connection_id: z.literal(CONNECTION).optional(),
  result_url: z.string().max(2000).optional(),
  client_id: z.string().max(200).optional(),
  /** 0 is Auth0's word for the default. */
  ttl_sec: z.number().int().min(0).max(MAX_LIFE_SECONDS).optional(),
  mark_email_as_verified: z.boolean().optional(),
});

const invalid = (why: string) =>
  new ManagementProblem(400, 'invalid_body', `Payload validation error: ${why}`);

/**
 * Returns the ticket request in our own fields.
 * @throws ManagementProblem for fields that exclude each other
 */
export function toTicket(
  kind: TicketRequest['kind'],
  body: z.infer<typeof ticketSchema>,
): TicketRequest {
  const { user_id: userId, email, connection_id: connection, result_url: resultUrl } = body;
  if ((userId === undefined) === (email === undefined)) throw invalid('user_id or email');
  if (email !== undefined && connection === undefined) throw invalid('connection_id');
  if (resultUrl !== undefined && body.client_id !== undefined) {
    throw invalid('result_url does not go with client_id');
  }
  const isForMailbox = kind === 'email';
  // The next page shows the proven contact and has no link to an application.
  if (isForMailbox && (resultUrl ?? body.client_id) !== undefined) {
    throw invalid('result_url and client_id are for tickets of a new password');
  }
  return {
    kind,
    user: userId === undefined ? { email: email ?? '' } : { userId },
    lifeSeconds: body.ttl_sec || MAX_LIFE_SECONDS,
    isMailed: body.mark_email_as_verified ?? false,
    clientId: body.client_id ?? null,
    resultUrl: resultUrl ?? null,
  };
}

export const NO_TICKET = {
  password: {
    nothingToDo: 'The user is not active.',
    unregistered: 'client_id and result_url have to be registered with a client.',
  },
  email: {
    nothingToDo: 'Nothing of this user waits for a proof of the address.',
    unregistered: 'client_id and result_url have to be registered with a client.',
  },
} as const;
