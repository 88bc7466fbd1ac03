/** Every width, colour scheme and repetition: `npm run test:all`. */
export const isFullMatrix = process.env.PORCHLIGHT_TEST_ALL === 'on';

/** This is `npm test`. */
export const isCoreRun = process.env.PORCHLIGHT_E2E === 'core';

/** The tag of a test that `npm test` runs, for one row of a table of tests. */
export const coreIf = (isCore: boolean) => ({ tag: isCore ? ['@core'] : [] });
