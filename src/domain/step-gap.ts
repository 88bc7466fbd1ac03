/** Between two steps of the processing screen: 300 to 500 ms (RED-01); the operator may choose within that. */
export const STEP_GAP_MS = { least: 300, usual: 400, most: 500 } as const;
