/** Every width, colour scheme and repetition: `npm run test:all`. */
export const isFullMatrix = process.env.PORCHLIGHT_TEST_ALL === 'on';
