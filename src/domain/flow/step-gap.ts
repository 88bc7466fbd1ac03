/**
 * Milliseconds between two steps of the processing screen: 300 to 500 (RED-01); the operator may choose within that.
 */
export const STEP_GAP_MS = { least: 300, usual: 400, most: 500 } as const;
