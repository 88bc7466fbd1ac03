import { PRODUCT_LOOK } from '#domain/people/subtenants.ts';
import { fill } from '#locales/fill.ts';
import type { Sender } from './sender.ts';
import { type Block, type MailContent, named, mailTexts } from './mail-blocks.ts';

/** Returns the plain half of a mail. */
export function mailText({ code, headline, blocks }: MailContent, sender: Sender): string {
  const { mails } = mailTexts({ sender });
  const first = code ? `${code} ${headline}` : headline;
  const parts = blocks.map((block) => plainText(block, sender));
  const { phone, email } = sender.help;
  const call = fill(mails.callUs, { phone });
  const footer = hasHelp(blocks) ? [] : [`${mails.help} ${call}\n${mails.orWrite} ${email}`];
  return [first, ...parts, ...footer, mailFooter(sender)].join('\n\n');
}

function plainText(block: Block, sender: Sender): string {
  const { mails } = mailTexts({ sender });
  const { phone, email } = sender.help;
  switch (block.kind) {
    case 'text':
      return block.plain ?? block.text;
    case 'note':
      return block.text;
    case 'help':
      return `${fill(mails.callUs, { phone })}\n${mails.orWrite} ${email}`;
    case 'boxes':
      return mails.codePage;
    case 'picture':
      return block.url;
    case 'button':
      return `${block.label}\n${block.url}`;
  }
}

/** Returns whether a mail says in its midst whom to call: then its end does not say it again. */
export const hasHelp = (blocks: readonly Block[]): boolean =>
  blocks.some(({ kind }) => kind === 'help');

/** Returns the footer of a mail in the sender's name. */
export function mailFooter(sender: Sender): string {
  const { mails } = mailTexts({ sender });
  const isOwn = sender.name === PRODUCT_LOOK.name;
  return fill(isOwn ? mails.footerOwn : mails.footer, named({ sender }));
}

/** Returns the digits of a code as people read them: two groups of three. */
export function codeGroups(code: string): readonly [string, string] {
  return [code.slice(0, 3), code.slice(3)];
}
