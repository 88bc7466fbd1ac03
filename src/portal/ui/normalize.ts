import type { FormEvent } from 'react';

/**
 * An `onInput` that mends the text while it is typed, such as stripping spaces in front.
 * What Undo, Delete and an unfinished composition do is left alone, and the caret stays with its letter.
 */
export function normalizeOnInput(neaten: (text: string) => string) {
  return (event: FormEvent<HTMLInputElement>): void => {
    const input = event.currentTarget;
    const { inputType, isComposing } = event.nativeEvent as InputEvent;
    if (isComposing || (inputType && !inputType.startsWith('insert'))) return;
    const { value, selectionStart } = input;
    const neat = neaten(value);
    if (neat === value) return;
    input.value = neat;
    // An email input has no caret to speak of: its position is null.
    if (selectionStart === null) return;
    const caret = Math.max(0, selectionStart - (value.length - neat.length));
    input.setSelectionRange(caret, caret);
  };
}
