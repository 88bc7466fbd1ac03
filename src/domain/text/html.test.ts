import { expect, test } from 'vitest';
import { fillHtml, html, Markup } from './html.ts';

test('every sign that means something in HTML is escaped, once, and nothing else is', () => {
  const hostile = `<a title="x" rel='y'>&amp;`;
  const escaped = '&#60;a title=&#34;x&#34; rel=&#39;y&#39;&#62;&#38;amp;';
  expect(html`<p title="${hostile}">${[hostile, html`<b>${hostile}</b>`]}</p>`.toString()).toBe(
    `<p title="${escaped}">${escaped}<b>${escaped}</b></p>`,
  );
  expect(html`${'Zoë – 100 % / 2'}${7}`.toString()).toBe('Zoë – 100 % / 27');
  expect(html`${new Markup('<br>')}`.toString()).toBe('<br>');
});

test('a line break goes beside a tag, is a blank elsewhere, and stays in a value', () => {
  const page = html`<pre>${'two\n  lines'}</pre>
    <p title="a"
      lang="en">${'x'}
      and y
    </p>`;
  expect(page.toString()).toBe('<pre>two\n  lines</pre><p title="a" lang="en">x and y</p>');
});

test('a text is filled as HTML: its own signs and its values are escaped', () => {
  const filled = fillHtml("Don't call {phone} & {name}", { phone: html`<b>1</b>`, name: '<i>' });
  expect(filled.toString()).toBe('Don&#39;t call <b>1</b> &#38; &#60;i&#62;');
  expect(() => fillHtml('Call {phone}', {})).toThrow('No value for {phone}');
});
