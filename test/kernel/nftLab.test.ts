import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { LabResult } from '../../src/results/events.js'
import { cannotRun } from './ability.js'
import { cannotLoadNft } from './loadNft.js'
import { vethlab } from './servedCommands.js'
import { webManifest } from './webManifest.js'

const lab = (added: string, notHit = '[external-*, service-nodeports]') => `title: Rules of mode nftables
topology: { families: [IPv4, IPv6] }
manifests: [app.yaml]
proxy: { mode: nftables }
steps:
  - name: A pod more, an element of the same map more
    scale: { deployment/web: 2 }
    expect: { rules: { added: ${added}, on: node-a } }
  - name: A node port of its own
    patch: { object: service/web, with: { spec: { type: NodePort, ports: [{ port: 80, nodePort: 30080 }] } } }
    expect: { rules: { added: [external-*, { chain: service-nodeports, contains: tcp . 30080 }], on: node-b } }
  - name: The node answers for it
    curl: http://{node-a}:30080/
    repeat: 32
    expect:
      status: 200
      clientAddress: node-a
      share: { service: web }
      snat: { to: node-a, at: node-a }
      chains:
        hit: [services, service-nodeports, external-*-default/web/tcp/, 'service-*-default/web/tcp/', masquerading]
        notHit: [service-ips, reject-chain, no-endpoint-services]
        on: node-a
  - name: In IPv6 its rules are others
    from: node-b
    curl: http://{web.ipv6}/
    expect:
      status: 200
      chains: { hit: [kube-proxy/services, service-ips, cluster-ips, masquerading], notHit: ${notHit}, on: node-b }
  - name: A port that the Service has not is refused
    from: app=web@node-a
    curl: http://{web}:81/
    expect: { fails: refused }
  - name: An address that nobody has is dropped
    from: app=web@node-a
    curl: { url: 'http://10.96.7.7/', timeout: 300ms } # short on purpose: nothing answers
    expect: { fails: timeout }
  - name: A restarted kube-proxy keeps correct rules
    restart: { kubeProxy: node-a }
    expect: { rules: { unchanged: true } }
`

const folder = mkdtempSync(join(tmpdir(), 'vethlab-nft-lab-'))
t.teardown(() => rmSync(folder, { recursive: true }))

async function run(name: string, text: string): Promise<{ code: number | null; result: LabResult }> {
  mkdirSync(join(folder, name))
  writeFileSync(join(folder, name, 'lab.yaml'), text)
  writeFileSync(join(folder, name, 'app.yaml'), webManifest)
  const { code, stdout, stderr } = await vethlab(['run', join(folder, name), '--reporter', 'json'])
  if (stdout === '') throw new Error(stderr)
  return { code, result: JSON.parse(stdout) as LabResult }
}

const map = '[{ chain: service-*, contains: numgen random mod 2 }]'

t.test(
  'rules, maps and packets of a lab of mode nftables',
  { skip: cannotRun || cannotLoadNft() },
  async (t) => {
    const { code, result } = await run('right', lab(map))
    const checks = result.steps.flatMap(({ checks }) => checks)
    t.same(
      checks.filter(({ ok }) => !ok),
      [],
    )
    t.equal(code, 0)
  },
)

t.test('a rule that did not come is missed', { skip: cannotRun || cannotLoadNft() }, async (t) => {
  const { code, result } = await run('wrong', lab('[{ chain: service-*, contains: numgen random mod 3 }]'))
  t.equal(code, 1)
  t.match(result.steps[0]?.checks.at(-1), {
    ok: false,
    observed: /^node-a: \+ 2 rules, − 2 rules$/,
    look: /nft -s list table ip kube-proxy$/,
  })
})

t.test('a chain that a packet met is reported', { skip: cannotRun || cannotLoadNft() }, async (t) => {
  const { code, result } = await run('met', lab(map, '[service-ips, servces]'))
  t.equal(code, 1)
  const check = result.steps.find(({ name }) => name.startsWith('In IPv6'))?.checks.at(-1)
  t.match(check, {
    ok: false,
    observed: /^service-ips counted 1; there is no chain servces, did you mean "?services/,
  })
  t.match(check?.observed, /node-b: .*services 2/, 'the mark for masquerading, and the map')
})

t.test('nothing of a trace is left in the nodes', { skip: cannotRun || cannotLoadNft() }, async (t) => {
  const listed = `${lab(map)}  - name: There is no such table
    from: node-b
    command: [nft, list, table, inet, vethlab-trace]
    expect: { exitCode: 1 }
`
  const { result } = await run('left', listed)
  t.match(result.steps.at(-1)?.checks, [{ ok: true }])
})
