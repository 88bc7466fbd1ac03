import type { FormEvent } from 'react';

/**
 * An `onInput` that normalizes the text while it is typed, such as stripping leading spaces. Undo, Delete and an
 * unfinished composition change nothing, and the caret keeps its place.
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
    // The caret position of an email input is null.
    if (selectionStart === null) return;
    const caret = Math.max(0, selectionStart - (value.length - neat.length));
    input.setSelectionRange(caret, caret);
  };
}
