/** Name of the kept message that replaces a toast without JavaScript. */
export const NOTICE = 'notice';
