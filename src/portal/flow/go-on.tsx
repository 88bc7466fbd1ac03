import { ui } from '#locales/en/ui.ts';
import { Button } from '../ui/button.tsx';

/** Where no script runs a button does what a page with one does by itself. */
export function GoOn({ onPress = () => undefined }: { readonly onPress?: () => unknown }) {
  return (
    <Button action="goOn" onClick={onPress}>
      {ui.goOn}
    </Button>
  );
}
