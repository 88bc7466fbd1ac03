/** An organisation as an operator writes it, and the rules of its values (ORG-01). */

import * as z from 'zod';
import { consoleRoleBy } from '#domain/help-desk/console-rights.ts';
import { isRoleId } from '#domain/people/roles.ts';
import { isCommonDomain } from '#domain/typed/mail-domain.ts';
import { canonicalEmail } from '#domain/typed/validation.ts';
import { organisationCommand as texts } from '#locales/operator/organisation-command.ts';
import { isWebAddress, NO_SUCH_URL } from '../config/client-file.ts';
import type { Config } from '../config/config.ts';

/** Roles that anybody can sign up for: an organisation gives them only to an operator who insists. */
export const MEMBERS: readonly number[] = [1, 9, 18];

export const ORGANISATION_ID = /^[a-z][a-z\d-]{1,38}[a-z\d]$/;

/** Issuers and tenants that sign in people of many organisations. */
const GOOGLE = 'accounts.google.com';
const SHARED_HOSTS =
  /^(?:appleid\.apple\.com|(?:www\.)?facebook\.com|(?:www\.)?linkedin\.com|(?:api\.)?login\.yahoo\.com|gitlab\.com|slack\.com|id\.twitch\.tv|login\.salesforce\.com|token\.actions\.githubusercontent\.com)$/;
const SHARED_TENANT =
  /\/(?:common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad|[^/]*[{}%][^/]*)(?:\/|$)/i;

/** Mail hosts for everybody, beside those that the sign-up form knows. */
const PUBLIC_DOMAINS =
  /^(?:(?:gmx|mail|yandex|yahoo|hotmail|outlook|live|zoho|tutanota|tuta)\.[a-z.]{2,6}|(?:web|freenet|t-online)\.de|(?:qq|163|126|naver|hey|inbox|hushmail|hanmail|daum|seznam|libero|laposte|orange|wanadoo|free|uol|bol|terra|rediffmail)\.(?:com|net|it|fr|cz|br|com\.br)|rr\.com|frontier\.com|windstream\.net|(?:.+\.)?onmicrosoft\.com)$/;

/** `evenSo`: the operator insists on roles that anybody can sign up for. */
export type Insisting = { readonly evenSo?: boolean | undefined };

export type EntryRules = Pick<Config, 'mode' | 'publicUrl' | 'console'> & Insisting;

/** Returns what is wrong with an issuer; `null`: nothing. */
function faultOfIssuer(issuer: string, { mode, publicUrl }: EntryRules): string | null {
  if (!isWebAddress(issuer, { isDemo: mode === 'demo' })) return NO_SUCH_URL;
  const { origin, hostname, search, pathname } = new URL(issuer);
  if (search !== '') return NO_SUCH_URL;
  if (origin === new URL(publicUrl).origin) return texts.ownIssuer;
  return SHARED_HOSTS.test(hostname) || SHARED_TENANT.test(pathname) ? texts.sharedIssuer : null;
}

/** Returns a mail domain by its A-labels; `null` for a text that is none. */
export function mailDomainIn(text: string): string | null {
  const domain = canonicalEmail(`a@${text.trim()}`).slice('a@'.length);
  const isDomain = /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]*[a-z\d]$/;
  return isDomain.test(domain) ? domain : null;
}

const line = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^[^\p{C}\p{Zl}\p{Zp}<>]*$/u, texts.notLine);

const mailDomain = z.string().transform((text, context) => {
  const domain = mailDomainIn(text) ?? '';
  const isPublic = isCommonDomain(domain) || PUBLIC_DOMAINS.test(domain);
  const message = domain === '' ? texts.noDomain : texts.publicDomain;
  if (domain === '' || isPublic) context.addIssue({ code: 'custom', message });
  return domain;
});

/** Returns what is wrong with a role that people get by the organisation; `null`: nothing. */
function faultOfRole(roleId: number, subtenantId: number, rules: EntryRules): string | null {
  if (!isRoleId(roleId)) return texts.noRole;
  if (consoleRoleBy(roleId, subtenantId, rules.console) === 'operator') return texts.operatorRole;
  return MEMBERS.includes(roleId) && !rules.evenSo ? texts.memberRole : null;
}

/** The schema of one organisation; without `clientSecret` a stored one is kept. */
export function organisationSchema(rules: EntryRules) {
  const values = z.array(line(200)).max(20).default([]);
  return z
    .strictObject({
      id: z.string().regex(ORGANISATION_ID, texts.badId),
      subtenantId: z.int().positive(),
      label: line(40),
      issuer: z.string().max(500),
      clientId: line(200),
      clientSecret: line(1000).optional(),
      secretEndsOn: z.nullable(z.iso.date()).default(null),
      subject: z.enum(['sub', 'oid']).default('sub'),
      hostedDomain: z.nullable(mailDomain).default(null),
      domains: z.array(mailDomain).max(50).default([]),
      roles: z.array(z.int()).min(1),
      secondFactor: z.enum(['ours', 'theirs']).default('ours'),
      amr: values,
      acr: values,
      maxAuthAge: z.nullable(z.int().min(60).max(43_200)).default(null),
      console: z.boolean().default(false),
      only: z.boolean().default(false),
      helpName: z.nullable(line(60)).default(null),
      helpPhone: z.nullable(z.string().regex(/^\+[\d ]{6,20}$/, texts.badPhone)).default(null),
      roleMap: z.record(line(200), z.int()).default({}),
      on: z.boolean().default(false),
    })
    .superRefine((entry, context) => {
      const add = (path: (string | number)[], message: string | null) => {
        if (message !== null) context.addIssue({ code: 'custom', path, message });
      };
      add(['issuer'], faultOfIssuer(entry.issuer, rules));
      const isGoogle = URL.canParse(entry.issuer) && new URL(entry.issuer).hostname === GOOGLE;
      if (isGoogle && !entry.hostedDomain) add(['hostedDomain'], texts.googleDomain);
      for (const [index, roleId] of entry.roles.entries()) {
        add(['roles', index], faultOfRole(roleId, entry.subtenantId, rules));
      }
      for (const [value, roleId] of Object.entries(entry.roleMap)) {
        const hasRights = consoleRoleBy(roleId, entry.subtenantId, rules.console) !== null;
        const other = entry.roles.includes(roleId) ? null : texts.mappedRole;
        add(['roleMap', value], hasRights ? texts.mappedRights : other);
      }
    });
}

/** An organisation as an operator reads and writes it. */
export type OrganisationEntry = z.output<ReturnType<typeof organisationSchema>>;
