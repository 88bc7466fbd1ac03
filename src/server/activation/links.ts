import { sql } from 'kysely';
import { type ActivationLink, activationQuery } from '#domain/activation-link.ts';
import { maskEmail, maskPhone } from '#domain/otp.ts';
import { later } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { Kit } from '../kit.ts';
import { RULES } from '../limits/rules.ts';
import { hashToken, randomId, randomToken } from '../secrets.ts';

export type LinkVerdict =
  | { readonly kind: 'invalid' }
  | { readonly kind: 'expired' }
  | {
      readonly kind: 'valid';
      /** The account is active already: a used link shows success, not an error (decisions 4). */
      readonly isDone: boolean;
      readonly linkId: string;
      readonly userId: number;
      readonly subtenantId: number;
      readonly phone: string;
      readonly email: string;
    };

export type ActivationLinks = {
  /** A link for a mail: it works on any device for a day. Written in the transaction of its mail. */
  forMail(
    db: Db,
    registration: { readonly id: string; readonly userId: number },
    platform: number,
  ): Promise<string>;
  /** 'Verify here.': a link for this browser alone, proving nothing; `null` when the visit asked about nobody. */
  forVisit(visit: Visit): Promise<string | null>;
  /** Reads a link; following it never uses it up (decisions 4). A valid one is remembered with the visit. */
  validate(link: ActivationLink, visit: Visit, ip: string): Promise<LinkVerdict>;
};

const MAIL_LIFE_MS = 24 * 60 * 60 * 1000;
const VISIT_LIFE_MS = 15 * 60 * 1000;

export function createActivationLinks(kit: Kit): ActivationLinks {
  const { db, clock, config, limits, audit } = kit;

  async function write(
    source: Db,
    registration: { readonly id: string; readonly userId: number },
    platform: number,
    bound: { readonly visitId: string | null; readonly lifeMs: number },
  ): Promise<string> {
    const now = clock.now();
    const key = randomToken();
    await source
      .insertInto('activation_links')
      .values({
        id: randomId(),
        key_hash: hashToken(key),
        user_id: registration.userId,
        registration_id: registration.id,
        visit_id: bound.visitId,
        created_at: now,
        expires_at: later(now, bound.lifeMs),
      })
      .execute();
    const { id: registrationId, userId } = registration;
    const query = activationQuery({ key, registrationId, userId, platform });
    return `${config.publicUrl}/account/Activation?${query}`;
  }

  async function find({ key, registrationId, userId, platform }: ActivationLink, visit: Visit) {
    return db
      .selectFrom('activation_links')
      .innerJoin('registrations', 'registrations.id', 'activation_links.registration_id')
      .innerJoin('users', 'users.id', 'activation_links.user_id')
      .select([
        'activation_links.id as linkId',
        'activation_links.expires_at',
        'registrations.completed_at',
        'registrations.subtenant_id',
        'registrations.email',
        'registrations.mobile',
        'users.status',
      ])
      .where('activation_links.key_hash', '=', hashToken(key))
      .where('activation_links.registration_id', '=', registrationId)
      .where('activation_links.user_id', '=', userId)
      .where('users.sign_up_platform', '=', platform)
      .where((e) =>
        e.or([
          e('activation_links.visit_id', 'is', null),
          e('activation_links.visit_id', '=', visit.id),
        ]),
      )
      .executeTakeFirst();
  }

  return {
    forMail: (source, registration, platform) =>
      write(source, registration, platform, { visitId: null, lifeMs: MAIL_LIFE_MS }),

    async forVisit(visit) {
      const row = await db
        .selectFrom('visits')
        .innerJoin('users', 'users.id', 'visits.unverified_user_id')
        .innerJoin('registrations', 'registrations.user_id', 'users.id')
        .select(['registrations.id', 'users.id as userId', 'users.sign_up_platform'])
        .where('visits.id', '=', visit.id)
        .where('users.status', '=', 'pending')
        .where('registrations.completed_at', 'is', null)
        // The own form first, then an invitation: what a stranger typed comes last (security D27).
        .orderBy(
          sql`case when registrations.visit_id = ${visit.id} then 0 when registrations.visit_id is null then 1 else 2 end`,
        )
        .orderBy('registrations.created_at', 'desc')
        .executeTakeFirst();
      if (!row) return null;
      await limits.take([RULES.resetPerAccount, String(row.userId)]);
      return write(db, row, row.sign_up_platform, { visitId: visit.id, lifeMs: VISIT_LIFE_MS });
    },

    async validate(link, visit, ip) {
      await limits.check([RULES.wrongLinkPerIp, ip]);
      const found = await find(link, visit);
      if (!found) {
        await limits.isWithin([RULES.wrongLinkPerIp, ip]);
        await audit({ kind: 'activation.invalidLink', visitId: visit.id, ip });
        return { kind: 'invalid' };
      }
      const now = clock.now();
      const isDone = found.completed_at !== null && found.status === 'active';
      if (!isDone && (found.expires_at <= now || found.status !== 'pending')) {
        return { kind: 'expired' };
      }
      if (!isDone) {
        await db
          .insertInto('activation_visits')
          .values({ link_id: found.linkId, visit_id: visit.id, opened_at: now })
          .onConflict((conflict) =>
            conflict.columns(['link_id', 'visit_id']).doUpdateSet({ opened_at: now }),
          )
          .execute();
      }
      return {
        kind: 'valid',
        isDone,
        linkId: found.linkId,
        userId: link.userId,
        subtenantId: found.subtenant_id,
        phone: maskPhone(found.mobile),
        email: maskEmail(found.email),
      };
    },
  };
}
