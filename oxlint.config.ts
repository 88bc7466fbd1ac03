import { defineConfig } from 'oxlint';
import { BOUNDARIES } from './tools/boundaries.ts';

export default defineConfig({
  plugins: [
    'eslint',
    'typescript',
    'unicorn',
    'oxc',
    'import',
    'react',
    'jsx-a11y',
    'promise',
    'node',
    'vitest',
  ],
  options: { typeAware: true },
  categories: { correctness: 'error' },
  ignorePatterns: ['dist', '.cache', 'data', 'test-results', 'playwright-report'],
  rules: {
    // Of types too: two files that need each other's types are read as one.
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'import/no-self-import': 'error',
    'react/exhaustive-deps': 'error',
    'react/rules-of-hooks': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/switch-exhaustiveness-check': [
      'error',
      // A default that throws or narrows is as exhaustive as a list of cases.
      { considerDefaultExhaustiveForUnions: true },
    ],
    'typescript/consistent-type-definitions': ['error', 'type'],
    'typescript/consistent-type-imports': 'error',
    'unicorn/prefer-node-protocol': 'error',
    complexity: ['error', { max: 15 }],
    eqeqeq: 'error',
    'no-console': 'error',
    'no-eval': 'error',
    'no-implied-eval': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    // JSX is compiled for the automatic runtime; nobody needs React in scope.
    'react/react-in-jsx-scope': 'off',
    // There are no classes here, so no method has a `this` to lose.
    'typescript/unbound-method': 'off',
    // These serve the React Compiler, which this portal does not use; a countdown has to set state
    // in an effect, and the newest callback has to live in a ref.
    'react/immutability': 'off',
    'react/refs': 'off',
    'react/set-state-in-effect': 'off',
    // `role="status"` is spoken by more screen readers than `<output>`.
    'jsx-a11y/prefer-tag-over-role': 'off',
    // Spreading a string counts code points, which is what the rules for passwords ask for.
    'typescript/no-misused-spread': 'off',
  },
  overrides: [
    // The tool that reads them wants a default export.
    { files: ['*.config.ts'], rules: { 'import/no-default-export': 'off' } },
    // Only an interface can add to the browser's own types.
    {
      files: ['src/portal/pre-hydration.ts'],
      rules: { 'typescript/consistent-type-definitions': 'off' },
    },
    // What tests and tools do is a list of cases, read from top to bottom.
    {
      files: ['{tools,load,e2e}/**', '**/*.test.{ts,tsx}', '**/testing/**'],
      rules: { complexity: 'off' },
    },
    // Tools speak to the person who started them.
    { files: ['{tools,load}/**'], rules: { 'no-console': 'off' } },
    ...BOUNDARIES,
  ],
});
