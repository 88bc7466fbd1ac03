/** The discovery documents of RFC 7643, 5 to 7: what a directory may ask of this service. */

import { invalid } from './scim-error.ts';

export const SCHEMAS = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
} as const;
const CORE = 'urn:ietf:params:scim:schemas:core:2.0';
export const MOST_RESULTS = 100;

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
    {
      type: 'oauthbearertoken',
      name: 'Bearer',
      description: 'The bearer that an operator made for the organization.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig' },
};

export const RESOURCE_TYPES = [
  {
    schemas: [`${CORE}:ResourceType`],
    id: 'User',
    name: 'User',
    endpoint: '/Users',
    schema: SCHEMAS.user,
    meta: { resourceType: 'ResourceType' },
  },
];

type Attribute = {
  readonly name: string;
  readonly type?: 'boolean' | 'complex';
  readonly mutability?: 'immutable' | 'readOnly';
  readonly isRequired?: true;
  readonly isUnique?: true;
  readonly isMulti?: true;
  readonly parts?: readonly Attribute[];
};

const attribute = (given: Attribute): object => ({
  name: given.name,
  type: given.type ?? 'string',
  multiValued: given.isMulti ?? false,
  required: given.isRequired ?? false,
  caseExact: given.name === 'externalId',
  mutability: given.mutability ?? 'readWrite',
  returned: 'default',
  uniqueness: given.isUnique ? 'server' : 'none',
  ...(given.parts && { subAttributes: given.parts.map(attribute) }),
});

export const USER_SCHEMAS = [
  {
    schemas: [`${CORE}:Schema`],
    id: SCHEMAS.user,
    name: 'User',
    description: 'A person of the organization',
    attributes: [
      { name: 'userName', isRequired: true, isUnique: true },
      { name: 'externalId', isRequired: true, isUnique: true, mutability: 'immutable' },
      { name: 'name', type: 'complex', parts: [{ name: 'givenName' }, { name: 'familyName' }] },
      { name: 'displayName', mutability: 'readOnly' },
      {
        name: 'emails',
        type: 'complex',
        isMulti: true,
        parts: [{ name: 'value' }, { name: 'type' }],
      },
      { name: 'active', type: 'boolean' },
      { name: 'roles', type: 'complex', isMulti: true, parts: [{ name: 'value' }] },
    ].map((each) => attribute(each as Attribute)),
    meta: { resourceType: 'Schema' },
  },
];

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
