import { DEMO_ACCOUNTS, DEMO_PASSWORD, demoEmail } from './seed.ts';

const NOTES = { pending: 'never verified', inactive: 'switched off' } as const;

/** What a newcomer needs after the first start: accounts, password, addresses. */
export function demoSummary(url: string): string {
  const accounts = DEMO_ACCOUNTS.map(({ name, roles, status }) => {
    const note = status ? ` (${NOTES[status]})` : '';
    return `  ${demoEmail(name).padEnd(44)} roles ${roles.join(', ')}${note}`;
  });
  const places: readonly (readonly [string, string])[] = [
    ['Sign in', `${url}/account/signin`],
    ['Sign up', `${url}/account/signup`],
    ['Free trial', `${url}/account/StartFreeTrial?subtenantId=3`],
    ['Staff', `${url}/legal-staff/signin`],
    ['Third party', `${url}/demo/relying-party`],
    ['Inbox for codes', `${url}/dev/inbox`],
    ['Every mail', `${url}/dev/mails`],
    ['API description', `${url}/api/openapi.json`],
  ];
  const addresses = places.map(([label, address]) => `  ${label.padEnd(16)} ${address}`);
  return [
    `Demo accounts, password ${DEMO_PASSWORD}:`,
    ...accounts,
    '',
    'Addresses:',
    ...addresses,
  ].join('\n');
}
