import { join } from 'node:path'
import js from '@eslint/js'
import tseslint from 'typescript-eslint'
import { layersPlugin } from './scripts/lintLayers.mjs'

/**
 * The layers of src/, from top to bottom: a folder imports itself and those below it, types included. Folders in one row do
 * not import each other. docs/architecture.md describes them; test/docs/architecture.test.ts checks for import cycles.
 */
export const layers = [
  ['cli.ts'],
  ['index.ts', 'commands'],
  ['view'],
  ['ci', 'inspect', 'workshop'],
  ['up'],
  ['lab'],
  ['diagnose'],
  ['host', 'trace'],
  ['snapshot'],
  ['names'],
  ['apiserver', 'reporters', 'topology'],
  ['ingress', 'agents'],
  ['cluster', 'netfilter'],
  ['results'],
  ['packets'],
  ['net', 'text'],
  ['hostFaults.ts'],
  ['clock.ts', 'errors.ts', 'groupBy.ts', 'version.ts'],
]

/** Modules and packages for processes, sockets and files that only this folder imports, types included. */
export const ownModules = {
  host: [
    ...[
      'child_process',
      'cluster',
      'dgram',
      'dns',
      'dns/promises',
      'fs',
      'fs/promises',
      'http',
      'http2',
      'https',
    ],
    ...['inspector', 'net', 'tls', 'worker_threads', 'dockerode', 'execa'],
  ],
}

/** A proxy mode is an object (src/agents/kubeProxy/mode.ts); code that depends on the mode is a member of it. */
const mode = 'Literal[value=/^(iptables|nftables|ipvs|userspace)$/]'
const noModeNames = [
  `BinaryExpression[operator=/^[!=]==?$/] > ${mode}`,
  `SwitchCase > ${mode}.test`,
  `CallExpression[callee.property.name=/^(includes|indexOf)$/] > ${mode}`,
  `CallExpression[callee.property.name=/^(includes|indexOf)$/] > MemberExpression > ArrayExpression > ${mode}`,
].map((selector) => ({
  selector,
  message: 'ask the mode (agents/kubeProxy/modes.ts), and do not compare its name',
}))

/** Functions that start something that must be stopped: only one file calls each of them, and always stops it. */
const onlyIn = (name, scope) => ({
  group: [`**/${name}.js`],
  importNames: [name],
  message: `only ${scope} calls it: it stops what it starts`,
})
const noSandboxes = onlyIn('startSandbox', 'host/sandbox/withSandbox.ts')
const noLabs = onlyIn('startLab', 'lab/up/withRunningLab.ts')

const noDirectWrites = {
  selector: 'CallExpression[callee.property.name="write"][callee.object.property.name=/^std(out|err)$/]',
  message: 'print with commands/output.ts: texts from outside may hold what acts on a terminal',
}

export default tseslint.config(
  { ignores: ['dist/', 'build/', '.tap/', 'test/golden/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        // a program for each, made once: projectService updates one for each file
        project: ['tsconfig.json', 'src/view/page/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      // `_name` marks a property that is left out on purpose: { kind: _kind, ...rest }.
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
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    ignores: ['src/agents/kubeProxy/**', 'src/host/proxier/**', 'src/lab/plan/modes/**'],
    rules: { 'no-restricted-syntax': ['error', ...noModeNames] },
  },
  {
    files: ['src/cli.ts', 'src/commands/**/*.ts'],
    ignores: ['src/commands/output.ts'],
    rules: { 'no-restricted-syntax': ['error', ...noModeNames, noDirectWrites] },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/host/sandbox/withSandbox.ts', 'src/lab/up/withRunningLab.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: [noSandboxes, noLabs] }] },
  },
  {
    files: ['src/lab/up/withRunningLab.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: [noSandboxes] }] },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    plugins: { layers: layersPlugin(join(import.meta.dirname, 'src'), layers, ownModules) },
    rules: { 'layers/order': 'error' },
  },
)
