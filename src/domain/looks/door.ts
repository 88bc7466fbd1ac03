/**
 * The state of the porch's door, a picture of the visitor's progress. Digits: the number of entered digits of the code.
 */
export type Door = 'shut' | 'ajar' | 'half' | '1' | '2' | '3' | '4' | '5' | '6' | 'wide' | 'lamp';
