import { ESLint } from 'eslint'
import t from 'tap'

const table: { file: string; imports: string; allowed: boolean }[] = [
  ...[
    'cluster/types',
    'proxy/config',
    'netfilter/types',
    'topology/types',
    'packets/types',
    'reporters/events',
    'ingress/model',
  ].flatMap((name) => [
    { file: `src/${name}.ts`, imports: '../host/environment.js', allowed: false },
    { file: `src/${name}.ts`, imports: '../lab/types.js', allowed: false },
    { file: `src/${name}.ts`, imports: '../commands/run.js', allowed: false },
    { file: `src/${name}.ts`, imports: '../cli.js', allowed: false },
    { file: `src/${name}.ts`, imports: '../errors.js', allowed: true },
  ]),
  { file: 'src/proxy/iptables/restore.ts', imports: '../../host/environment.js', allowed: false },
  { file: 'src/packets/hops.ts', imports: './hostname.js', allowed: true },
  { file: 'src/lab/runLab.ts', imports: '../commands/run.js', allowed: false },
  { file: 'src/lab/runLab.ts', imports: '../cli.js', allowed: false },
  { file: 'src/lab/runLab.ts', imports: '../host/sandbox.js', allowed: true },
  { file: 'src/lab/runLab.ts', imports: '../packets/flows.js', allowed: true },
  { file: 'src/host/sandbox.ts', imports: '../commands/run.js', allowed: false },
  { file: 'src/host/sandbox.ts', imports: '../lab/runLab.js', allowed: false },
  { file: 'src/host/actions/curl.ts', imports: '../../lab/types.js', allowed: true },
  { file: 'src/commands/run.ts', imports: '../cli.js', allowed: false },
  { file: 'src/commands/run.ts', imports: '../lab/runLab.js', allowed: true },
]

// One rule alone: the others would have much to say of files that hold one import.
const eslint = new ESLint({ ruleFilter: ({ ruleId }) => ruleId === 'no-restricted-imports' })

for (const { file, imports, allowed } of table) {
  t.test(`${file} ${allowed ? 'may' : 'may not'} import ${imports}`, async (t) => {
    const [result] = await eslint.lintText(`import '${imports}'\n`, { filePath: file })
    t.equal(result?.messages.length, allowed ? 0 : 1)
  })
}
