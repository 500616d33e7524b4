import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { cannotRun } from './ability.js'
import { copyOfLab } from './commandLine.js'
import { vethlab } from './servedCommands.js'

/** Runs a request to a node port after rules of node-a began to drop the first packets of connections. */
async function requestAfter(t: Test, ...match: string[]): Promise<{ code: number | null; stdout: string }> {
  const folder = copyOfLab(t, 'nodeport')
  const drop = ['iptables', '-t', 'raw', '-I', 'PREROUTING', '-p', 'tcp', '--syn', ...match, '-j', 'DROP']
  writeFileSync(
    join(folder, 'lab.yaml'),
    `topology: { nodes: [node-a, node-b], clients: [client] }
steps:
  - { name: node-a drops packets, from: node-a, command: [${drop.map((word) => `'${word}'`).join(', ')}] }
  - { name: A request, curl: 'http://{node-a}:30080/', expect: { status: 200 } }
`,
  )
  return vethlab(['run', folder])
}

t.test('a request that is lost once is not a failure', { skip: cannotRun }, async (t) => {
  // a SYN has 60 bytes: this matches two of them
  const { code, stdout } = await requestAfter(t, '-m', 'quota', '--quota', '130')
  t.equal(code, 0, stdout)
})

t.test('a request that is always lost is one', { skip: cannotRun }, async (t) => {
  const { code, stdout } = await requestAfter(t)
  t.equal(code, 1)
  t.match(stdout, /no answer in time/)
})
