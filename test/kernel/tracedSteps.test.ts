import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { runLab } from '../../src/lab/steps/runLab.js'
import { withLab } from '../../src/lab/up/withLab.js'
import { hostText } from '../../src/net/hostText.js'
import { cannotRun } from './ability.js'

const steps = `
  - name: the path of a node port
    curl: http://{node-a}:30080/
    expect:
      path: [KUBE-NODEPORTS, KUBE-EXT-*, { chain: KUBE-SEP-*, contains: DNAT, at: node-a }, KUBE-POSTROUTING]
  - name: a path in another order
    curl: http://{node-a}:30080/
    expect: { path: [KUBE-POSTROUTING, KUBE-NODEPORTS] }
  - name: a reason of a request that passes
    curl: http://{node-a}:30080/
    expect: { why: { rule: FORWARD } }
  - name: another program drops new connections
    from: node-a
    command: [iptables, -I, FORWARD, '1', -m, conntrack, --ctstate, NEW, -j, DROP]
  - name: the rule of this program is the reason
    curl: http://{node-a}:30080/
    expect: { fails: timeout, why: { rule: { chain: FORWARD, contains: NEW, at: node-a } } }
  - name: another rule is not
    curl: http://{node-a}:30080/
    expect: { fails: timeout, why: { rule: KUBE-FORWARD } }
`

function labFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-traced-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  cpSync('labs/nodeport/manifests', join(folder, 'manifests'), { recursive: true })
  const topology = '{ nodes: [node-a, node-b], clients: [client] }'
  writeFileSync(
    join(folder, 'lab.yaml'),
    `title: traced\ntopology: ${topology}\nmanifests: [manifests]\nsteps:${steps}`,
  )
  return folder
}

t.test('path and why pass and fail with the kernel’s trace and state', { skip: cannotRun }, async (t) => {
  const { steps: results } = await runLab(labFolder(t))
  t.strictSame(
    results.map(({ checks }) => checks.map(({ ok }) => ok)),
    [[true], [false], [false], [true], [true, true], [true, false]],
  )
})

t.test('lab.trace returns what the kernel did beside the prediction', { skip: cannotRun }, async (t) => {
  await withLab('nodeport', async (lab) => {
    const passes = await lab.trace('client', 'http://{node-a}:30080/')
    t.equal(passes.result.http?.status, 200)
    t.strictSame(passes.comparison.differences, [])
    t.ok(passes.exchange?.hops.get('node-a')?.[0]?.rules.some(({ chain }) => chain === 'KUBE-NODEPORTS'))
    await lab.exec('node-a', ['iptables', '-I', 'INPUT', '-p', 'icmp', '-j', 'DROP'])
    const { result, prediction, comparison } = await lab.trace('client', '{node-a}', { protocol: 'icmp' })
    t.equal(result.outcome, 'timeout')
    t.strictSame(comparison.differences, [])
    t.equal(prediction.paths[0]?.end.rule?.chain, 'INPUT')
  })
})

/** Type and code of the error about what a route does not let pass. */
const errorsOfRoutes = [
  ['-4', '10.99.0.1', '172.18.0.2', { prohibit: '3 13', unreachable: '3 1' }],
  ['-6', 'fd00:99::1', 'fd00:18::2', { prohibit: '1 1', unreachable: '1 0' }],
] as const

t.test(
  'the error of a route is the predicted one, and the caller gets it',
  { skip: cannotRun },
  async (t) => {
    await withLab('dual-stack', async (lab) => {
      for (const [family, address, node, codes] of errorsOfRoutes) {
        const route = ['ip', family, 'route']
        await lab.exec('client', [...route, 'add', address, 'via', node])
        for (const [kind, code] of Object.entries(codes)) {
          await lab.exec('node-a', [...route, 'add', kind, address])
          const sent = async (to: string, protocol: 'tcp' | 'udp') => {
            const { exchange, prediction, comparison, result } = await lab.trace('client', to, { protocol })
            for (const icmp of [exchange?.errors[0]?.after.icmp, prediction.paths[0]?.error?.icmp])
              t.equal(`${icmp?.type} ${icmp?.code}`, code, `${address} ${kind} ${protocol}`)
            t.strictSame(comparison.differences, [], `${address} ${kind} ${protocol}`)
            t.equal(result.outcome, 'unreachable', `${address} ${kind} ${protocol}`)
          }
          await sent(`http://${hostText(address)}/`, 'tcp')
          // netcat does not print which error it got about a datagram
          if (kind === 'prohibit') await sent(`${hostText(address)}:53`, 'udp')
          await lab.exec('node-a', [...route, 'del', kind, address])
        }
      }
    })
  },
)
