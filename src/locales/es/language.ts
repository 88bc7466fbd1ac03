/** The language of these texts, as `lang` and Intl name it. */
export const language = 'es';
