import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { load } from '../../scripts/load.js'
import { linterOf } from './linterOf.js'

const { layers } = await load<typeof import('../../../eslint.config.js')>('eslint.config.js')

const table: { file: string; imports: string; allowed: boolean }[] = [
  { file: 'src/cluster/types.ts', imports: '../host/environment.js', allowed: false },
  { file: 'src/cluster/types.ts', imports: '../agents/kubeProxy/config.js', allowed: false },
  { file: 'src/cluster/types.ts', imports: '../errors.js', allowed: true },
  {
    file: 'src/agents/kubeProxy/iptables/restore.ts',
    imports: '../../../host/environment.js',
    allowed: false,
  },
  { file: 'src/agents/kubeProxy/iptables/restore.ts', imports: '../../../netfilter/save.js', allowed: true },
  { file: 'src/agents/kubeProxy/config.ts', imports: '../../ingress/model.js', allowed: false },
  { file: 'src/packets/hops.ts', imports: './hostname.js', allowed: true },
  { file: 'src/lab/steps/runLab.ts', imports: '../../commands/run.js', allowed: false },
  { file: 'src/lab/steps/runLab.ts', imports: '../../cli.js', allowed: false },
  { file: 'src/lab/steps/runLab.ts', imports: '../../host/sandbox/sandbox.js', allowed: true },
  { file: 'src/lab/steps/runLab.ts', imports: '../up/withRunningLab.js', allowed: true },
  { file: 'src/host/sandbox/sandbox.ts', imports: '../../lab/steps/runLab.js', allowed: false },
  { file: 'src/commands/labs/run.ts', imports: '../../cli.js', allowed: false },
  { file: 'src/commands/labs/run.ts', imports: '../../lab/steps/runLab.js', allowed: true },
  { file: 'src/lab/steps/runLab.ts', imports: 'node:fs', allowed: false },
  { file: 'src/commands/labs/run.ts', imports: 'fs/promises', allowed: false },
  { file: 'src/apiserver/store.ts', imports: 'node:http', allowed: false },
  { file: 'src/up/upLab.ts', imports: 'node:net', allowed: false },
  { file: 'src/ci/runShare.ts', imports: 'execa', allowed: false },
  { file: 'src/cli.ts', imports: 'node:child_process', allowed: false },
  { file: 'src/cli.ts', imports: 'node:path', allowed: true },
  { file: 'src/host/sandbox/sandbox.ts', imports: 'node:child_process', allowed: true },
  { file: 'src/newFolder/any.ts', imports: '../errors.js', allowed: false },
]

const eslint = linterOf('layers/order')

for (const { file, imports, allowed } of table)
  t.test(`${file} ${allowed ? 'may' : 'may not'} import ${imports}`, async (t) => {
    const code = [`import '${imports}'`, `import type { A } from '${imports}'`, `await import('${imports}')`]
    const [result] = await eslint.lintText(`${code.join('\n')}\n`, { filePath: file })
    t.equal(result?.messages.length, allowed ? 0 : code.length)
  })

t.test('one file starts sandboxes, and one starts labs', async (t) => {
  const eslint = linterOf('no-restricted-imports')
  const sandbox = "import { startSandbox } from '../../host/sandbox/startSandbox.js'\n"
  const lab = "import { startLab } from '../up/startLab.js'\n"
  for (const [filePath, code, problems] of [
    ['src/lab/steps/runLab.ts', sandbox, 1],
    ['src/lab/steps/runLab.ts', lab, 1],
    ['src/lab/up/withRunningLab.ts', sandbox, 1],
    ['src/lab/up/withRunningLab.ts', lab, 0],
    ['src/host/sandbox/withSandbox.ts', sandbox, 0],
  ] as const) {
    const [result] = await eslint.lintText(code, { filePath })
    t.equal(result?.messages.length, problems, `${filePath}: ${code}`)
  }
})

t.test('every folder and file of src has a layer', async (t) => {
  t.strictSame(layers.flat().sort(), readdirSync('src').sort())
})

t.test('no file imports itself by way of others, types included', async (t) => {
  const imports = new Map(sourceFiles('src').map((file) => [file, importsOf(file)]))
  t.ok(imports.size > 500)
  const done = new Set<string>()
  const follow = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) t.fail([...path.slice(path.indexOf(file)), file].join(' -> '))
    else if (!done.has(file)) for (const next of imports.get(file) ?? []) follow(next, [...path, file])
    done.add(file)
  }
  for (const file of imports.keys()) follow(file, [])
})

t.test('folders of src have at most 30 files of their own, and files at most 400 lines', async (t) => {
  const files = sourceFiles('src')
  const folders = new Map<string, number>()
  for (const file of files) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1)
  t.strictSame(
    [...folders].filter(([, count]) => count > 30),
    [],
  )
  t.strictSame(
    files.filter((file) => readFileSync(file, 'utf8').split('\n').length > 401),
    [],
  )
})

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)\.js'/g)]
    .map(([, path = '']) => `${join(dirname(file), path)}.ts`)
    .filter((path) => existsSync(path))
}
