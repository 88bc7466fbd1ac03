/** Every width, colour scheme and repetition: `npm run test:all`. */
export const isFullMatrix = process.env.PORCHLIGHT_TEST_ALL === 'on';

/** The tag of a test that only the full matrix runs, for one row of a table of tests. */
export const fullIf = (isExtra: boolean) => ({ tag: isExtra ? ['@full'] : [] });
