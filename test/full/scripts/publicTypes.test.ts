import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { load } from '../../scripts/load.js'

// A project that has vethlab, TypeScript and @types/node, far from this checkout, whose node_modules has more packages.
const project = mkdtempSync(join(tmpdir(), 'vethlab-types-'))
t.teardown(() => rmSync(project, { recursive: true, force: true }))
const packageFolder = join(project, 'node_modules/vethlab')
const types = join(packageFolder, 'dist/types')
mkdirSync(types, { recursive: true })
mkdirSync(join(project, 'node_modules/@types'))
symlinkSync(join(process.cwd(), 'node_modules/@types/node'), join(project, 'node_modules/@types/node'))
copyFileSync('package.json', join(packageFolder, 'package.json'))
writeFileSync(join(types, 'package.json'), '{ "type": "commonjs" }\n')
const { writePublicTypes } =
  await load<typeof import('../../../scripts/publicTypes.mjs')>('scripts/publicTypes.mjs')
const files = writePublicTypes(types)

const options = {
  ...{ target: 'ES2022', module: 'NodeNext', strict: true, exactOptionalPropertyTypes: true },
  ...{ noEmit: true, types: ['node'], skipLibCheck: false, allowJs: true, checkJs: true },
}

/** What tsc prints for files of the project. */
function check(...files: string[]): string {
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }))
  const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc')
  return spawnSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' }).stdout
}

const program = `import vethlab = require('vethlab')
export const hops: Promise<number | undefined> = vethlab.withLab(
  'nodeport',
  async (lab) => {
    await lab.wait('deployment/web', 'rolledOut')
    const { flow } = await lab.flow('client', {
      kind: 'nc', host: '10.96.0.10', port: 53, udp: true, send: 'hello', timeoutSeconds: 30,
    })
    return flow?.hops.length
  },
  { iptables: 'nft', ignoreKinds: new Set(['Widget']) },
)
export const seconds: Promise<number> = vethlab.runLab('nodeport').then((result) => result.durationMs / 1000)
`

t.test('the library has the declarations that it needs, and no others', async (t) => {
  t.ok(files > 10 && files < 180, `${files} files`)
})

t.test(
  'a test of ES modules and one of CommonJS compile, with declarations of libraries checked',
  async (t) => {
    const examples = readdirSync('docs/examples')
    t.ok(examples.length > 1)
    for (const file of examples) copyFileSync(join('docs/examples', file), join(project, file))
    writeFileSync(join(project, 'use.cts'), program)
    t.equal(check(...examples, 'use.cts'), '')
  },
)

t.test('a wrong argument is an error', async (t) => {
  writeFileSync(join(project, 'wrong.cts'), program.replace("'rolledOut'", "'rolled'"))
  t.match(check('wrong.cts'), /wrong\.cts\(5,\d+\): error TS2345: .*"rolled"/)
})
