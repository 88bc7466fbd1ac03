import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Boot } from '#contract/boot.ts';
import {
  DRAWN_PREFERENCES,
  parsePreferences,
  preferenceAttributes,
} from '#domain/looks/display.ts';
import { OTP_COUNTDOWN_MS, OTP_MEDIUM } from '#domain/proofs/otp.ts';
import { entranceOf, pathOf } from '#domain/flow/screens.ts';
import type { Subtenant } from '#domain/people/subtenants.ts';
import { EMPTY_VISIT } from '#domain/flow/visit.ts';
import type { Translated } from '#locales/languages.ts';
import { later } from '../../core/clock.ts';
import type { FullContext } from '../../access/context.ts';
import type { Db } from '../../db/database.ts';
import type { Message } from '../../notifications/compose-message.ts';
import { createNotifications } from '../../notifications/notifications.ts';
import { PORCH } from '../../notifications/porch.ts';
import { writeDocument } from '../../ssr/document.ts';
import type { PortalBuilds } from '../../ssr/portal-build.ts';

type Deps = {
  readonly portals: PortalBuilds;
  readonly settings: Boot['settings'];
  readonly logoOf: Parameters<typeof createNotifications>[1]['logoOf'];
};

/** A document that stands in a frame of the console, and its policy. */
export type Preview = { readonly html: string; readonly policy: string };

const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** Creates the previews of a look that is not saved: the very pages and mails, of a subtenant that has it. */
export function createSubtenantPreview(context: FullContext, { portals, settings, logoOf }: Deps) {
  return {
    /** Renders the sign-in page of a visitor without a visit. It has no script: nothing in it can be used. */
    async page(
      subtenant: Subtenant,
      theme: 'light' | 'dark',
      language: Translated,
    ): Promise<Preview> {
      const build = await portals(language);
      const path = pathOf('signIn');
      const boot: Boot = {
        subtenant,
        isSubtenantNamed: true,
        visit: EMPTY_VISIT,
        settings,
        hours: null,
        screen: 'signIn',
        account: null,
        link: null,
        entrance: entranceOf(path),
        form: null,
        refusal: null,
      };
      const preferences = { ...parsePreferences(), theme };
      const { origin } = new URL(context.config.publicUrl);
      const known = { [DRAWN_PREFERENCES]: preferences };
      const rendered = await build.render({ path, search: '', boot, origin, known });
      const nonce = randomBytes(16).toString('base64');
      const attributes = preferenceAttributes(preferences);
      const html = writeDocument(build, rendered, boot, nonce, { language, xsrf: '', attributes })
        .replaceAll(/<script\b.*?<\/script>/gs, '')
        .replace(/<link rel="expect"[^>]*>/, '')
        // The typeface comes by script on the page itself.
        .replace('</head>', '<link rel="stylesheet" href="/font.css"></head>');
      const styles = `style-src 'self' 'nonce-${nonce}'`;
      return { html, policy: `${POLICY}; ${styles}; img-src 'self'; font-src 'self'` };
    },

    /** Renders the mail with a code. */
    async mail(subtenant: Subtenant, firstName: string, language: Translated): Promise<Preview> {
      const { db, clock } = context;
      const to = { email: '', firstName, subtenantId: subtenant.id, phone: '', language };
      const otp = {
        id: '',
        digits: { email: '482913', phone: '482913' },
        medium: OTP_MEDIUM.email,
        expiresAt: later(clock.now(), OTP_COUNTDOWN_MS),
        purpose: 'signIn',
        textRefusal: null,
        link: null,
      } as const;
      const written: Message[] = [];
      const courier = { queue: async (_: Db, message: Message) => void written.push(message) };
      const subtenantOf = async () => subtenant;
      const { code } = createNotifications(context, { courier, subtenantOf, logoOf });
      await code(db, to, otp);
      const porch = `data:image/png;base64,${readFileSync(PORCH.file).toString('base64')}`;
      const html = (written[0]?.html ?? '').replace(`cid:${PORCH.cid}`, porch);
      const policy = `${POLICY}; style-src 'unsafe-inline'; img-src 'self' data:; sandbox`;
      return { html, policy };
    },
  };
}
