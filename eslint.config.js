import js from '@eslint/js'
import tseslint from 'typescript-eslint'

const pure = ['cluster', 'proxy', 'netfilter', 'topology', 'packets', 'reporters', 'ingress']

/** Imports run one way: cli → commands → lab → host; the pure folders may be used by all and use none of them. */
const boundary = (files, folders, message) => ({
  files,
  rules: {
    'no-restricted-imports': [
      'error',
      { patterns: [{ regex: `^(\\.\\.?/)+(${folders.join('|')})(/|\\.js$)`, message }] },
    ],
  },
})

export default tseslint.config(
  { ignores: ['dist/', 'build/', '.tap/', 'test/golden/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      // `_name` says that something is left out on purpose: { kind: _kind, ...rest }.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // tap itself waits for its subtests.
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafePromises: [
            { from: 'package', package: '@tapjs/core', name: 'PromiseWithSubtest' },
          ],
        },
      ],
      // Text from other programs and from YAML is matched with control characters on purpose.
      'no-control-regex': 'off',
    },
  },
  {
    files: ['test/**/*.ts'],
    // An async test ends by itself, without t.end(), whether it awaits something or not.
    rules: { '@typescript-eslint/require-await': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: {
      globals: {
        ...{ process: 'readonly', console: 'readonly', URL: 'readonly', Buffer: 'readonly' },
        ...{ setImmediate: 'readonly', setTimeout: 'readonly', clearTimeout: 'readonly' },
        ...{ setInterval: 'readonly', clearInterval: 'readonly', performance: 'readonly' },
      },
    },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { sourceType: 'commonjs', globals: { __dirname: 'readonly', process: 'readonly' } },
  },
  {
    files: ['src/cli.ts', 'src/commands/**/*.ts'],
    ignores: ['src/commands/output.ts', 'src/commands/serveApi.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'CallExpression[callee.property.name="write"][callee.object.property.name=/^std(out|err)$/]',
          message: 'print with commands/output.ts: texts from outside may hold what acts on a terminal',
        },
      ],
    },
  },
  boundary(['src/**/*.ts'], ['cli'], 'nothing imports the command line'),
  boundary(
    ['src/host/**/*.ts'],
    ['cli', 'lab(?!/types\\.js$)', 'commands'],
    'host knows neither labs nor commands, but for the types they share',
  ),
  boundary(['src/lab/**/*.ts'], ['cli', 'commands'], 'lab never imports commands'),
  boundary(
    [...pure, 'apiserver'].map((folder) => `src/${folder}/**/*.ts`),
    ['cli', 'commands', 'host', 'lab'],
    'this folder never imports host, lab or commands',
  ),
)
