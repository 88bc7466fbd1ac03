import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { lighten } from './lighter-react.ts';

const REACT_DOM = readFileSync(
  path.join(import.meta.dirname, '../node_modules/react-dom/cjs/react-dom-client.production.js'),
  'utf8',
);

test('what no page of ours can reach in React goes, and all else stays as it was published', () => {
  const light = lighten(REACT_DOM);
  expect(light).not.toMatch(/FragmentInstance\.prototype|\.startViewTransition\(|rel: "preload"/);
  const published = new Set(REACT_DOM.split('\n'));
  const made = light.split('\n').filter((line) => !published.has(line));
  // The head of a function, or the end of a long one, with nothing in it.
  expect(made.filter((line) => !/^(?:function [\w$]+\([^)]*)?\) \{\}$/.test(line))).toEqual([]);
});

test('another release of React has to be read first', () => {
  expect(() => lighten(REACT_DOM.replaceAll('19.3.1', '19.3.2'))).toThrow('19.3.1');
});
