/** Kept under this name: what a toast would say, where no script runs and nothing else says it. */
export const NOTICE = 'notice';
