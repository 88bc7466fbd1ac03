/** First message of an activation that a text proved, and no mail (PRF-02). */
export const PHONE_VERIFIED = 'PHONE_VERIFIED';
