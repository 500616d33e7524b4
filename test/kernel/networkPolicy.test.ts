import { join } from 'node:path'
import t, { type Test } from 'tap'
import { decideByPolicies } from '../../src/cluster/policies/decide.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import type { RunningLab } from '../../src/lab/up/runningLab.js'
import { applies } from '../cluster/lab.js'
import { addressOf, clusterPolicy, modelObjects, podNames, policy } from '../cluster/policies/model.js'
import { cannotRun } from './ability.js'
import { cannotLoadNft } from './loadNft.js'
import { vethlab } from './servedCommands.js'
import { startLab } from './startLab.js'

const families = ['IPv4', 'IPv6'] as const
const text = (objects: readonly object[]) => objects.map((one) => JSON.stringify(one)).join('\n---\n')
const a = { matchLabels: { pod: 'a' } }
const b = { matchLabels: { pod: 'b' } }

/** Every pod calls every other one on port 80, in both families; the pairs whose answer is not what the policies say. */
async function surprises(lab: RunningLab): Promise<string[]> {
  const { cluster, topology } = lab.live.state()
  const callers = podNames.map(async (from) => {
    const others = families.flatMap((family) =>
      podNames
        .filter((to) => to !== from)
        .map((to) => ({ to, family, destination: addressOf(cluster, to, family) })),
    )
    const script = others.map(
      ({ destination }) =>
        `curl -g -s -o /dev/null --max-time 30 http://${destination.includes(':') ? `[${destination}]` : destination}/ && echo '${destination} yes' &`,
    )
    const place = topology.places.find(({ namespace, name }) => `${namespace}/${name}` === from)
    if (place === undefined) throw new Error(`no place ${from}`)
    const { stdout } = await lab.exec(place, ['sh', '-c', `${script.join('\n')}\nwait`])
    return others.flatMap(({ to, family, destination }) => {
      const source = addressOf(cluster, from, family)
      const { allowed } = decideByPolicies(cluster, { source, destination, protocol: 'TCP', port: 80 })
      return stdout.includes(`${destination} yes`) === allowed
        ? []
        : [`${from} → ${to} ${family}: wanted ${allowed}`]
    })
  })
  return (await Promise.all(callers)).flat()
}

async function rulesOf(lab: RunningLab): Promise<string> {
  const node = lab.live.state().topology.nodes[0]
  if (node === undefined) throw new Error('no node')
  const { stdout } = await lab.exec(node, [
    'sh',
    '-c',
    'iptables-save -t filter; ip6tables-save -t filter; ipset list -n; nft list ruleset',
  ])
  return stdout
}

function running(t: Test, mode: string, policies: readonly object[]): Promise<RunningLab> {
  const folder = t.testdir({
    'lab.yaml': `topology: { families: [IPv4, IPv6] }\nmanifests: [all.yaml]\nkubeProxy: { mode: ${mode} }\n`,
    'all.yaml': text([...modelObjects, ...policies]),
  })
  return startLab(t, prepareLab(join(folder)), { capture: false })
}

/** Each action, in both tiers. */
const tiers = [
  clusterPolicy(
    {
      ...{ tier: 'Admin', priority: 1, subject: { namespaces: {} } },
      ingress: [
        { action: 'Pass', from: [{ pods: { namespaceSelector: {}, podSelector: a } }] },
        { action: 'Accept', from: [{ namespaces: { matchLabels: { ns: 'x' } } }] },
      ],
    },
    'first',
  ),
  clusterPolicy(
    {
      ...{ tier: 'Admin', priority: 2, subject: { namespaces: {} } },
      egress: [
        {
          action: 'Deny',
          to: [{ networks: ['10.244.2.0/24'] }],
          protocols: [{ tcp: { destinationPort: { number: 80 } } }],
        },
      ],
      ingress: [
        {
          ...{ action: 'Deny', from: [{ namespaces: { matchLabels: { ns: 'y' } } }] },
          protocols: [{ destinationNamedPort: 'serve-80-tcp' }],
        },
      ],
    },
    'second',
  ),
  clusterPolicy(
    {
      ...{ tier: 'Baseline', priority: 1, subject: { namespaces: {} } },
      ingress: [{ action: 'Deny', from: [{ namespaces: { matchLabels: { ns: 'x' } } }] }],
    },
    'last',
  ),
]

async function follows(t: Test, mode: string): Promise<RunningLab> {
  const denyAll = policy(
    { podSelector: {}, policyTypes: ['Ingress', 'Egress'], egress: [{}] },
    { name: 'deny' },
  )
  const fromB = policy({
    podSelector: a,
    ingress: [{ from: [{ podSelector: b }], ports: [{ port: 'serve-80-tcp' }] }],
  })
  const lab = await running(t, mode, [denyAll, fromB])
  t.same(await surprises(lab), [], 'as it starts')

  const block = policy(
    {
      podSelector: b,
      policyTypes: ['Egress'],
      egress: [
        { to: [{ ipBlock: { cidr: '10.244.0.0/16', except: ['10.244.1.0/24'] } }] },
        { to: [{ ipBlock: { cidr: '::/0' } }], ports: [{ port: 79, endPort: 80 }] },
      ],
    },
    { namespace: 'y' },
  )
  await lab.live.write(applies(text([block])))
  t.same(await surprises(lab), [], 'with another policy')

  await lab.live.write([
    { verb: 'label', ref: { kind: 'Pod', namespace: 'x', name: 'c' }, values: { pod: 'b' } },
    { verb: 'label', ref: { kind: 'Namespace', name: 'z' }, values: { ns: 'other' } },
    { verb: 'delete', ref: { kind: 'NetworkPolicy', namespace: 'x', name: 'deny' } },
    ...applies(text(tiers)),
  ])
  t.same(await surprises(lab), [], 'with other labels, without a policy, and with policies of the cluster')

  await lab.live.write([
    { verb: 'delete', ref: { kind: 'NetworkPolicy', namespace: 'x', name: 'policy' } },
    { verb: 'delete', ref: { kind: 'NetworkPolicy', namespace: 'y', name: 'policy' } },
    ...['first', 'second', 'last'].map((name) => ({
      verb: 'delete' as const,
      ref: { kind: 'ClusterNetworkPolicy', name },
    })),
  ])
  t.same(await surprises(lab), [], 'without policies')
  t.notMatch(await rulesOf(lab), /KUBE-(ROUTER|POD-FW|NWPLCY|CNPLCY|SRC|DST)/i, 'no chain and no set is left')

  await lab.live.write(applies(text([fromB])))
  t.same(await surprises(lab), [], 'with a first policy again')
  return lab
}

t.test('packets pass as the policies say, and follow changes', { skip: cannotRun }, async (t) => {
  const lab = await follows(t, 'iptables')
  t.match(
    await rulesOf(lab),
    /-A FORWARD .* -j KUBE-ROUTER-FORWARD\n-A FORWARD/,
    'before the rules of kube-proxy',
  )
})

t.test('so they do with a table of nftables', { skip: cannotRun || cannotLoadNft() }, async (t) => {
  const lab = await follows(t, 'nftables')
  const rules = await rulesOf(lab)
  t.match(rules, /^table ip6 kube-router-filter-ipv6 \{$/m)
  t.notMatch(rules, /-j KUBE-ROUTER|^(inet6:)?KUBE-(SRC|DST)/m, 'nothing in iptables and ipset')
})

t.test(
  'in mode nftables, a step sees which chains of policies its packets meet',
  { skip: cannotRun || cannotLoadNft() },
  async (t) => {
    const hit = ['KUBE-POD-FW-*', 'KUBE-NWPLCY-*', 'KUBE-POD-FW', 'KUBE-SRC-*']
    const lab = (notHit: string) => ({
      title: 'Chains of policies',
      ...{ manifests: ['all.yaml'], kubeProxy: { mode: 'nftables' } },
      steps: [
        {
          name: 'allowed',
          from: 'x/a',
          curl: 'http://{x/b}/',
          expect: { status: 200, chains: { hit, notHit } },
        },
      ],
    })
    const allow = policy({ podSelector: b, ingress: [{ from: [{ podSelector: a }] }] })
    const run = (notHit: string) => {
      const folder = t.testdir({
        'lab.yaml': JSON.stringify(lab(notHit)),
        'all.yaml': text([...modelObjects, allow]),
      })
      return vethlab(['run', folder])
    }
    const passed = await run('KUBE-CNPLCY-*')
    t.equal(passed.code, 0, passed.stdout + passed.stderr)
    const failed = await run('KUBE-NWPLCY-TAIL')
    t.equal(failed.code, 1)
    t.match(failed.stdout, /KUBE-NWPLCY-TAIL counted \d/)
  },
)
