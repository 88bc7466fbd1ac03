import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findPhysicalSides } from './physical-sides.ts';
import { ROOT } from './processes.ts';

/**
 * The oldest browsers (Safari 14.0, Chrome 91) know neither `inset-inline-start` nor `float: inline-start`, and the
 * build would write a rule for each language instead. `object-position` has no logical values.
 */
const STAYS: Record<string, string[]> = {
  'src/portal/screens/verify-otp/envelopes.module.css': ['float: left'],
  'src/portal/shell/display-panel.module.css': ['right: 0'],
  'src/portal/shell/header.module.css': ['object-position: left'],
  'src/portal/shell/lamp.module.css': [
    'inset: 74px 8px auto auto',
    'inset: 28px 44px auto auto',
    'inset: 28px auto auto 44px',
  ],
  'src/portal/ui/otp-boxes.module.css': ['float: left'],
  'src/portal/ui/password-field.module.css': ['right: 4px'],
  'src/portal/ui/skip-link.module.css': ['left: 12px'],
};

const FILES = globSync('src/**/*.css', { cwd: ROOT });

test('[OPS-94] style sheets tell left from right only where the oldest browsers need it', () => {
  const found = FILES.toSorted().flatMap((file) => {
    const sides = findPhysicalSides(readFileSync(path.join(ROOT, file), 'utf8'));
    return sides.length > 0 ? [[file, sides]] : [];
  });
  expect(FILES.length).toBeGreaterThan(40);
  expect(Object.fromEntries(found)).toEqual(STAYS);
});

test.each([
  'margin-left: 4px',
  'padding-right: 4px',
  'scroll-margin-left: 4px',
  'left: 0',
  'right: 0',
  'border-left: 1px solid',
  'border-right-color: red',
  'border-top-left-radius: 4px',
  'text-align: right',
  'float: left',
  'clear: right',
  'object-position: left center',
  'margin: 0 4px 0 0',
  'padding: 0 0 0 calc(1px + 2px)',
  'inset: 0 auto auto 0',
  'border-width: 1px 1px 1px 4px',
  'border-radius: 4px 0 0 4px',
])('[OPS-94] refused: %s', (declaration) => {
  expect(findPhysicalSides(`@media print { a { ${declaration} } }`)).toEqual([declaration]);
});

test.each([
  'margin-inline-start: 4px',
  'inset-inline: 0',
  'text-align: end',
  'margin: 0 auto',
  'padding: 0 calc(1px + 2px) 4px calc(1px + 2px)',
  'border-radius: 99px 99px 4px 4px',
  'border-radius: 8px',
  '--left: 4px',
])('[OPS-94] let be: %s', (declaration) => {
  expect(findPhysicalSides(`a { ${declaration} }`)).toEqual([]);
});
