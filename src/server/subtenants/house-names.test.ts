import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../testing/test-app.ts';
import { createSubtenants } from './subtenants.ts';
import { faultOfName, looksLikeLink, skeletonOfName } from './house-names.ts';
import {
  addSubtenant,
  changeSubtenant,
  openSubtenant,
  subtenantNameIn,
} from './subtenant-operations.ts';

describe('[OPS-120] D4: a name by itself', () => {
  test.each([
    ['St. Mary’s Home', null],
    ["O'Brien & Sons, Ltd.", null],
    ['Wohnpark Süd – Haus 2', null],
    ['Residência São João', null],
    ['ローズウッドの家', null],
    ['한빛 마을', null],
    ['Дом у реки', null],
    ['A', 'length'],
    ['x'.repeat(61), 'length'],
    ['evil.example', 'link'],
    ['Call us at evil．example', 'link'],
    ['https://evil.example', 'link'],
    ['www evil', 'link'],
    ['care@evil', 'link'],
    ['Haus 2024', 'digits'],
    ['Call 555 0199 now', 'digits'],
    ['Haus ٢٠٢٤', 'digits'],
    ['Rosewood <b>', 'signs'],
    ['Rosewood ★', 'signs'],
    ['Rosew\u200Bood', 'signs'],
    ['Rosewοod', 'scripts'],
    ['Роrchlight', 'scripts'],
    ['Дом House', 'scripts'],
  ])('%s: %s', (name, fault) => {
    expect(faultOfName(name)).toBe(fault);
  });
});

describe('[OPS-120] D4: names that people take for one another', () => {
  test.each([
    'PORCHLIGHT',
    'PorchIight',
    'P0rchlight',
    'Роrchlight',
    'Porch-light',
    'P o r c h light',
    'Pörchlight',
    'Ｐorchlight',
  ])('%s looks like Porchlight', (name) => {
    expect(skeletonOfName(name)).toBe(skeletonOfName('Porchlight'));
  });

  test.each(['Porchlight Academy', 'Torchlight', 'Rosewood'])('%s does not', (name) => {
    expect(skeletonOfName(name)).not.toBe(skeletonOfName('Porchlight'));
  });
});

test.each(['https', 'evil.example', 'www', 'a/b', 'x@y'])('D6: %s looks like a link', (text) => {
  expect(looksLikeLink(text)).toBe(true);
});
test.each(['Rosa', 'St. John', 'O’Neil', 'J.', 'Ng'])('%s does not', (text) => {
  expect(looksLikeLink(text)).toBe(false);
});

describe('[OPS-120] D4: a name is that of one open subtenant', () => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp();
  });
  afterAll(() => testApp.close());

  const context = () => {
    const { db, clock, config } = testApp;
    return { db, clock, config, audit: async () => undefined };
  };

  test('of the product and of another it is refused, and with an insisting operator taken', async () => {
    for (const name of ['Porchlight', 'ROSEWOOD  SENIOR LIVING', 'Rosevvood Senior Living']) {
      await expect(addSubtenant(context(), 51, { name })).rejects.toThrow('looks like');
      await expect(changeSubtenant(context(), 900, { name })).rejects.toThrow('looks like');
    }
    expect(() => subtenantNameIn('evil.example')).toThrow('no link');
    expect(subtenantNameIn('evil.example', { evenSo: true })).toBe('evil.example');
    const twin = { name: 'Rosewood Senior Living' };
    expect(await addSubtenant(context(), 51, twin, { evenSo: true })).toBe('added');
    // Neither of the two is found by the name.
    const { findNamed } = createSubtenants(testApp);
    expect(await findNamed('rosewood senior living')).toBeNull();
    expect(await findNamed('51')).toBe(51);
    await openSubtenant(context(), 51, false);
    expect(await findNamed('rosewood senior living')).toBe(742);
    await expect(openSubtenant(context(), 51, true)).rejects.toThrow('looks like');
    await changeSubtenant(context(), 742, { ...twin, accent: '#1F5FA8' });
  });
});
