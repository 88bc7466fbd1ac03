import { expect, test } from 'vitest';
import { escapeHtml } from './html.ts';

test('every sign that means something in HTML is escaped, once, and nothing else is', () => {
  expect(escapeHtml(`<a title="x" rel='y'>&amp;`)).toBe(
    '&#60;a title=&#34;x&#34; rel=&#39;y&#39;&#62;&#38;amp;',
  );
  expect(escapeHtml('Zoë – 100 % / 2')).toBe('Zoë – 100 % / 2');
});
