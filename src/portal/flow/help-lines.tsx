import { shell } from '#texts/shell.ts';
import { useAppContext } from './app-context.ts';

/** Shows the help contacts beside each refusal, because a second try may be refused as well. */
export function HelpLines() {
  const { phone, email } = useAppContext().boot.settings.help;
  return (
    <span>
      {shell.helpLead} <a href={`tel:${phone.replace(/[^\d+]/g, '')}`}>{phone}</a>,{' '}
      <a href={`mailto:${email}`}>{email}</a>
    </span>
  );
}
