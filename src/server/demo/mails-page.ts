import { html } from '#domain/text/html.ts';
import type { MailSample } from './mail-samples.ts';

type Tenant = { readonly id: number; readonly name: string };

/** Every mail of one subtenant on one page: drawn in a sandbox, as text, and as a text message. */
export function mailsPage(
  samples: readonly MailSample[],
  shown: Tenant,
  { tenants, lang }: { readonly tenants: readonly Tenant[]; readonly lang?: string | undefined },
): string {
  const suffix = (mark: string) => (lang ? `${mark}lang=${encodeURIComponent(lang)}` : '');
  const ways = tenants.map(({ id, name }) => {
    const current = id === shown.id ? html` aria-current="page"` : '';
    return html`<li><a href="/dev/mails?subtenantId=${id}${suffix('&')}"${current}>${name}</a></li>`;
  });
  const items = samples.map(({ name, mail, sms }) => {
    const url = `/dev/mails/${shown.id}/${name}${suffix('?')}`;
    const message = sms && html`<h3>As a text message</h3><pre tabindex="0">${sms.text}</pre>`;
    return html`<article id="${name}"><h2>${mail.subject}</h2><p><a href="${url}">Open ${name} alone</a></p>
      <iframe sandbox src="${url}" title="${mail.subject}" width="100%" height="760" loading="lazy"></iframe>
      <h3>As text</h3><pre tabindex="0">${mail.text}</pre>${message ?? ''}</article>`;
  });
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width,initial-scale=1"><title>Mails of ${shown.name} – Porchlight</title>
    <link rel="stylesheet" href="/plain.css"><link rel="stylesheet" href="/demo/demo.css"></head>
    <body><main><h1>Mails of ${shown.name}</h1>
    <p>Every mail and text message, with made-up particulars. Nothing was sent.</p>
    <nav aria-label="Subtenants"><ul>${ways}</ul></nav>${items}
    <p><a href="/dev/inbox">Go to the dev inbox</a></p></main></body></html>`.toString();
}
