import { describe, expect, it } from 'vitest';
import { passwordGuesses, isMadeOf } from './password-guesses.ts';

describe('what a guesser tries before a password', () => {
  it.each([
    ['capitals and an ending', 'Password1!', 'password'],
    ['a zero for an o', 'Passw0rd!', 'password'],
    ['signs for letters', 'P@$$w0rd99', 'password'],
    ['signs at its end, and more behind', 'Pr1nc3$$1!', 'princess'],
    ['signs at its start', '$uperMan-1', 'superman'],
    ['a one for an l', 'We1come7!', 'welcome'],
    ['a year', 'Welcome2026!', 'welcome'],
    ['a beginning', '1!Welcome', 'welcome'],
    ['hyphens', 'Pass-Word-1', 'password'],
    ['the word twice', 'MonkeyMonkey1!', 'monkey'],
    ['digits of the list itself', '1Qaz2wsx!', '1qaz2wsx'],
    ['full-width letters', 'Ｐａｓｓｗｏｒｄ1!', 'password'],
  ])('[SEC-01] finds the word behind %s', (_, password, word) => {
    expect(passwordGuesses(password)).toContain(word);
  });

  it('[SEC-01] takes no words out of the middle of a longer password', () => {
    const guesses = passwordGuesses('Four-password-kettles-9');
    expect(guesses).not.toContain('password');
    expect(guesses).not.toContain('kettles');
  });

  it('[SEC-01] [R36] is quick with the longest password that is accepted', () => {
    const tries = ['1'.repeat(128) + 'a' + '!'.repeat(127), 'ab'.repeat(128), 'a'.repeat(256)];
    for (const password of tries) expect(passwordGuesses(password).length).toBeLessThan(200);
  });
});

describe('a password of known words', () => {
  const KNOWN = ['Porchlight', 'Rosewood Senior Living', 'Ann', "O'Hara", 'ann.ohara@mail.test'];

  it.each([
    'Porchlight-1',
    'P0rchl1ght!7',
    'Rosewood1!',
    'Rosewood-Living-22',
    'OHara1952!',
    'Ann-1234!',
    'Ann.Ohara@mail1',
  ])('[SEC-01] %s is little more than what everybody knows', (password) => {
    expect(isMadeOf(password, KNOWN)).toBe(true);
  });

  it.each([
    ['a word of its own', 'Rosewood-Kettle-7'],
    ['a known word as a part of another', 'Planned-Kettles-7'],
    ['none of them', 'Sunny-Porch-7'],
  ])('[SEC-01] accepts %s', (_, password) => {
    expect(isMadeOf(password, KNOWN)).toBe(false);
  });

  it('[SEC-01] knows the phone number, and forgets what is too short to be a word', () => {
    expect(isMadeOf('Aa-5550142290', ['5550142290'])).toBe(true);
    expect(isMadeOf('Jo-Kettle-7', ['Jo', ''])).toBe(false);
  });
});
