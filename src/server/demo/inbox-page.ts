import { escapeHtml } from '#domain/html.ts';
import type { InboxMessage } from './inbox.ts';

/** The dev inbox as a plain page: works without a script, reloads by hand. */
export function inboxPage(messages: readonly InboxMessage[], to: string): string {
  const items = messages.map(
    (
      message,
    ) => `<article><h2>${escapeHtml(message.subject || message.text.split('\n')[0] || '')}</h2>
<p><b>${escapeHtml(message.channel)}</b> to ${escapeHtml(message.to)} at ${escapeHtml(message.sentAt.toISOString())}</p>
<pre>${escapeHtml(message.text)}</pre></article>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Dev inbox – Porchlight</title><link rel="stylesheet" href="/plain.css"></head><body><main><h1>Dev inbox</h1><p>Every mail, SMS and WhatsApp message of this demo, newest first. Reload the page to see new ones.</p><form action="/dev/inbox"><label>Show only messages to <input name="to" value="${escapeHtml(to)}"></label> <button>Show</button></form>${items.join('') || '<p>Nothing here yet.</p>'}<p><a href="/dev/mails">Look at every mail there is</a></p><p><a href="/account/signin">Go to sign-in</a></p></main></body></html>`;
}
