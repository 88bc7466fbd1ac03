import { shell } from '#texts/shell.ts';
import { Icon } from '../ui/icon.tsx';

/** The footer: the company, and help in the same place on every screen. */
export function Footer({
  className,
  poweredClass,
}: {
  className: string | undefined;
  poweredClass: string | undefined;
}) {
  return (
    <footer className={className}>
      <p className={poweredClass}>
        {shell.poweredBy} <Icon name="mark" /> {shell.productName}
      </p>
      <p>
        {shell.helpLead} <a href="/help">{shell.helpLink}</a>
      </p>
    </footer>
  );
}
