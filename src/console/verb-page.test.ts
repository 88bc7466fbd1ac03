import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ConsoleFrame, VerbPage as Data } from '#contract/console.ts';
import { VerbPage } from './verb-page.tsx';

const page: ConsoleFrame & Data = {
  kind: 'verb',
  staff: { name: 'Ana Ruiz', role: 'administrator', subtenant: 'Rosewood Senior Living' },
  xsrf: 'x',
  once: 'o',
  now: 0,
  timeZone: 'UTC',
  areas: [],
  area: 'people',
  verb: 'invite',
  person: null,
  rest: null,
  told: null,
  fields: [
    { name: 'firstName', label: 'First name', kind: 'text', value: 'Sam' },
    { name: 'role', label: 'Role', kind: 'text', value: '3' },
  ],
  how: { value: 'called', problem: null },
  note: { name: 'note', label: 'Note', kind: 'text', value: 'at noon' },
  problem: null,
  isFresh: false,
  asksApp: false,
  code: { canBeSent: true, sentTo: null, lost: null },
};

test('[HOU-11] what was typed goes through the code, which grew old meanwhile', () => {
  const html = renderToStaticMarkup(createElement(VerbPage, { page }));
  const kept = [...html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  expect(Object.fromEntries(kept.map(([, name, value]) => [name, value]))).toMatchObject({
    firstName: 'Sam',
    role: '3',
    note: 'at noon',
    how: 'called',
  });
});
