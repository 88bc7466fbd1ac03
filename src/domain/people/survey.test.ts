import { describe, expect, it } from 'vitest';
import { surveyAnswers } from './survey.ts';

const option = (responseId: number) => ({ subjectId: 213, responseId, text: '' });

describe('surveyAnswers', () => {
  it('[SUP-17] one answer to question 213 for each chosen option', () => {
    expect(surveyAnswers([401, 402], '')).toEqual([option(401), option(402)]);
    expect(surveyAnswers([], '')).toEqual([]);
  });

  it('[SUP-17] the text behind "Other" is an extra answer for subject 217 with response id 419', () => {
    expect(surveyAnswers([401, 418], ' from my sister ')).toEqual([
      option(401),
      option(418),
      { subjectId: 217, responseId: 419, text: 'from my sister' },
    ]);
  });

  it('[SUP-17] no extra answer without a text, or when "Other" was taken back', () => {
    expect(surveyAnswers([418], '  ')).toEqual([option(418)]);
    expect(surveyAnswers([401], 'from my sister')).toEqual([option(401)]);
    expect(surveyAnswers([], 'from my sister')).toEqual([]);
  });

  it('[SUP-08] an option chosen twice is one answer', () => {
    expect(surveyAnswers([401, 418, 401, 418], '')).toEqual([option(401), option(418)]);
  });
});
