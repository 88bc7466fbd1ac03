import type { AdminContext, ServerContext } from '../core/context.ts';
import type { Notifications } from '../notifications/notifications.ts';

/**
 * What a deed works with: an operation on a person that tells the person. `notifications` of a deed that tells nothing
 * queue no message.
 */
export type DeedContext = AdminContext & { readonly notifications: Notifications };

/** What pages and tasks work with that run deeds. */
export type FullContext = ServerContext & DeedContext;
