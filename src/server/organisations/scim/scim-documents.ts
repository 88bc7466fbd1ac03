/** The discovery documents of RFC 7643, 5 to 7: what a directory may ask of this service. */

import { invalid } from './scim-error.ts';

export const SCHEMAS = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
} as const;
const CORE = 'urn:ietf:params:scim:schemas:core:2.0';
const MOST_RESULTS = 100;

/** Returns a list response (RFC 7644, 3.4.2). */
export const listOf = (Resources: readonly object[], startIndex = 1, total = Resources.length) => ({
  schemas: [SCHEMAS.list],
  totalResults: total,
  startIndex,
  itemsPerPage: Resources.length,
  Resources,
});

export const SERVICE_PROVIDER_CONFIG = {
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MOST_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    { type: 'oauthbearertoken', name: 'Bearer', description: 'Made by an operator.' },
  ],
  meta: { resourceType: 'ServiceProviderConfig' },
};

export const USER_TYPE = {
  schemas: [`${CORE}:ResourceType`],
  id: 'User',
  name: 'User',
  endpoint: '/Users',
  schema: SCHEMAS.user,
  meta: { resourceType: 'ResourceType' },
};

const attribute = (name: string, more: object = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});

const complex = (name: string, parts: readonly string[], multiValued = false) => {
  const subAttributes = parts.map((each) => attribute(each));
  return attribute(name, { type: 'complex', multiValued, subAttributes });
};

const unique = { uniqueness: 'server' };

export const USER_SCHEMA = {
  schemas: [`${CORE}:Schema`],
  id: SCHEMAS.user,
  name: 'User',
  attributes: [
    // A work address does as well.
    attribute('userName', unique),
    attribute('externalId', {
      ...unique,
      required: true,
      caseExact: true,
      mutability: 'immutable',
    }),
    complex('name', ['givenName', 'familyName']),
    attribute('displayName', { mutability: 'readOnly' }),
    complex('emails', ['value', 'type'], true),
    attribute('active', { type: 'boolean' }),
    complex('roles', ['value'], true),
  ],
  meta: { resourceType: 'Schema' },
};

/** Reads the page of a list (RFC 7644, 3.4.2.4). @throws ScimError */
export function readPage(query: Readonly<Record<string, unknown>>) {
  const number = (name: string, fallback: number) => {
    const value = Number(query[name] ?? fallback);
    if (!Number.isSafeInteger(value)) throw invalid(`${name} must be a number.`);
    return value;
  };
  return {
    startIndex: Math.max(1, number('startIndex', 1)),
    count: Math.min(MOST_RESULTS, Math.max(0, number('count', MOST_RESULTS))),
  };
}
