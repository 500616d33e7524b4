import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'
import { cannotRun } from './ability.js'
import { copyOfLab } from './commandLine.js'
import { vethlab } from './servedCommands.js'

/** Titles of windows, colours that hide text, a cleared screen, C1, backspaces, a reversed line. */
const hostile = [
  '\x1b]0;owned\x07',
  '\x1b[8mhidden',
  '\x1b[2J',
  '\x9b31m',
  'a\b\b\b',
  '\u202eevil',
  '\x7f',
  'x\ry',
]

const ownColours = /\x1b\[(?:1|2|22|3[1-36]|35|39)m/g
const acting = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}]|[\u202a-\u202e\u2066-\u2069]/u

type Env = Readonly<Record<string, string>>

const inColour = { NO_COLOR: '', FORCE_COLOR: '1' }

/** Runs a command, in colour too by default, and looks for what would act on a terminal. */
async function quiet(
  t: Test,
  args: readonly string[],
  { seen, envs = [{}, inColour] }: { readonly seen?: RegExp; readonly envs?: readonly Env[] } = {},
): Promise<void> {
  for (const env of envs) {
    const { code, stdout, stderr } = await vethlab(args, { env })
    const said = `${stdout}${stderr}`
    t.notMatch(said.replace(ownColours, ''), acting, JSON.stringify(args))
    t.not(code, 70, said)
    if (seen !== undefined) t.match(said, seen, `the text is shown: ${JSON.stringify(args)}`)
  }
}

t.test('arguments and files in errors and in output', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  // all at once, in every command; then each alone, so that none hides another
  for (const [index, text] of [hostile.join(' '), ...hostile].entries()) {
    const own = join(folder, String(index))
    mkdirSync(own)
    const named = join(own, `${text.replaceAll('/', '')}.yaml`)
    const quoted = JSON.stringify(text)
    writeFileSync(named, `kind: ${quoted}\napiVersion: v1\nmetadata: { name: ${quoted} }\n`)
    writeFileSync(join(own, 'raw.yaml'), `kind: Service\n${text}: [\n`)
    writeFileSync(join(own, 'lab.yaml'), `title: ${quoted}\nsummary: ${quoted}\n`)
    const save = join(own, 'save')
    writeFileSync(save, `*nat\n:${text} - [0:0]\n-A ${text} -j ACCEPT\nCOMMIT\n`)
    const envs = index === 0 ? [{}, inColour] : [inColour]
    await quiet(t, ['run', text], { envs })
    await quiet(t, ['render', '-f', join(own, 'raw.yaml'), '--node', 'node-a'], { envs })
    if (index > 0) continue
    await quiet(t, [text])
    await quiet(t, ['list', `--${text}`])
    await quiet(t, ['up', own, '--mode', text])
    await quiet(t, ['render', '-f', named, '--node', text])
    await quiet(t, ['diff', save, '-f', 'labs/nodeport/manifests', '--node', 'node-a'])
    await quiet(t, ['plan', own])
    await quiet(t, ['exec', text, 'client', '--', 'true'])
    await quiet(t, ['workshop', 'start', text])
  }
})

t.test('objects of a lab that is up', { skip: cannotRun }, async (t) => {
  const path = copyOfLab(t, 'nodeport')
  const name = basename(path)
  const notes = JSON.stringify(Object.fromEntries(hostile.map((text, index) => [`n${index}`, text])))
  const object = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: hostile, annotations: ${notes} }\ndata: ${notes}\n`
  writeFileSync(join(path, 'manifests/hostile.yaml'), object)
  t.teardown(() => vethlab(['down', name]))
  const up = await vethlab(['up', path])
  t.equal(up.code, 0, up.stderr)
  await quiet(t, ['kubectl', '--built-in', name, 'get', 'configmaps', '-o', 'yaml'], { seen: /owned/ })
  await quiet(t, ['kubectl', '--built-in', name, 'get', 'configmaps', '-o', 'json'], { seen: /owned/ })
  t.match(
    JSON.parse(
      (await vethlab(['kubectl', '--built-in', name, 'get', 'configmap', 'hostile', '-o', 'json'])).stdout,
    ),
    {
      data: { n3: hostile[3] },
    },
  )
  await quiet(t, ['kubectl', '--built-in', name, 'describe', 'configmap', 'hostile'], { seen: /owned/ })
  await quiet(t, ['ps'])
  await quiet(t, ['kubectl', '--built-in', name, 'get', hostile[1] ?? ''])
  await quiet(t, ['rules', name, hostile[0] ?? ''])
  await quiet(t, ['kubectl', '--built-in', name, 'label', 'configmap/hostile', `a=${hostile[2]}`])
})
