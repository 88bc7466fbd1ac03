import { pathOf } from '#domain/flow/screens.ts';
import { addressHtml, phoneHtml } from '#domain/text/contact-text.ts';
import { html as markup, type Markup } from '#domain/text/html.ts';
import type { InboxRow } from './inbox.ts';

const NAMES: Readonly<Record<string, string>> = {
  email: 'Mail',
  sms: 'Text message',
  whatsapp: 'WhatsApp',
  voice: 'Phone call',
};
const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Returns how long ago something was, as people say it: a server does not know the clock of a reader. */
function agoText(at: Date, now: Date): string {
  const seconds = (now.getTime() - at.getTime()) / 1000;
  const [unit, length] = UNITS.find(([, each]) => seconds >= each) ?? [];
  return unit ? RELATIVE.format(-Math.floor(seconds / length), unit) : 'just now';
}

/** The dev inbox as a plain page: works without a script, reloads by hand. The newest mail is open. */
export function inboxPage(messages: readonly InboxRow[], to: string, now: Date): string {
  const newest = messages.find(({ html }) => html !== null);
  const items = messages.map((message) => {
    const { channel, recipient, sent_at: at, code } = message;
    const kind = NAMES[channel] ?? channel;
    const title = message.subject || kind;
    const digits = code
      ? markup`<p class="code"><span>The code:</span> <b>${code.slice(0, 3)} ${code.slice(3)}</b></p>`
      : '';
    const when = markup`<time datetime="${at.toISOString()}">${agoText(at, now)}</time>`;
    return markup`<article><h2>${title}</h2>
      <p class="from">${message.subject ? markup`<b>${kind}</b> ` : ''}<span>to ${contactHtml(recipient)}</span> ${when}</p>
      ${digits}${messageHtml(message, message === newest)}</article>`;
  });
  return markup`<!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width,initial-scale=1"><title>Dev inbox – Porchlight</title>
    <link rel="stylesheet" href="/plain.css"><link rel="stylesheet" href="/demo/demo.css"></head>
    <body><main><h1>Dev inbox</h1>
    <p>Every mail, SMS, WhatsApp message and call of this demo, newest first. Reload the page to see new ones.</p>
    <form action="/dev/inbox"><label>Show only messages to <input name="to" value="${to}"></label> <button>Show</button></form>
    ${items.length > 0 ? items : markup`<p>Nothing here yet.</p>`}
    <p><a href="/dev/mails">Look at every mail there is</a></p>
    <p><a href="${pathOf('signIn')}">Go to Sign In</a></p></main></body></html>`.toString();
}

function messageHtml(
  { id, channel, html, subject, text, code }: InboxRow,
  isOpen: boolean,
): Markup {
  if (channel === 'voice') {
    const key = markup`<form method="post" action="/dev/inbox/${id}/press"><button>Press 1</button></form>`;
    return markup`<p class="bubble">${text}</p>${code ? '' : key}`;
  }
  if (html === null) return markup`<p class="bubble">${text}</p>`;
  return markup`<details${isOpen ? ' open' : ''}><summary>Read the mail</summary>
    <iframe sandbox="allow-popups allow-popups-to-escape-sandbox" src="/dev/inbox/${id}" title="${subject}"
    height="680" loading="lazy"></iframe></details>`;
}

const contactHtml = (to: string) => (to.includes('@') ? addressHtml(to) : phoneHtml(to));
