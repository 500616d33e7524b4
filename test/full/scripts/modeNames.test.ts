import t from 'tap'
import { linterOf } from './linterOf.js'

const eslint = linterOf('no-restricted-syntax')

const comparisons = [
  "export const a = (mode: string) => mode === 'ipvs'",
  "export const a = (mode: string) => 'nftables' !== mode",
  "export function a(mode: string) { switch (mode) { case 'userspace': return 1 } }",
  "export const a = (modes: string[]) => modes.includes('iptables')",
  "export const a = (mode: string) => ['iptables', 'ipvs'].includes(mode)",
]

const others = [
  "export const a = ['iptables', '-t', 'nat']",
  "export const a = (program: string) => program === 'ip6tables'",
]

/** What the linter has to say of a file with this text. */
async function messages(filePath: string, text: string): Promise<readonly string[]> {
  const [result] = await eslint.lintText(`${text}\n`, { filePath })
  return (result?.messages ?? []).map(({ message }) => message)
}

t.test('no mode name is compared outside the folders of modes', async (t) => {
  for (const file of ['src/lab/plan/planLab.ts', 'src/host/readings.ts', 'src/commands/rules.ts'])
    for (const text of comparisons) t.match(await messages(file, text), [/mode/], `${file}: ${text}`)
})

t.test('the folders of modes may compare, and all may write names', async (t) => {
  for (const file of [
    'src/agents/kubeProxy/input.ts',
    'src/host/proxier/proxier.ts',
    'src/lab/plan/modes/ipvs.ts',
  ])
    for (const text of comparisons) t.same(await messages(file, text), [], `${file}: ${text}`)
  for (const text of others) t.same(await messages('src/lab/types.ts', text), [], text)
})

t.test('what commands write is still checked', async (t) => {
  t.match(await messages('src/commands/rules.ts', "process.stdout.write('x')"), [/output\.ts/])
})
