import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Snapshot } from '../../../src/snapshot/model/snapshot.js'
import { check } from '../../../src/diagnose/check/check.js'
import { readAttachedSnapshot } from '../../../src/inspect/attached.js'
import { labFiles, labOfSnapshot } from '../../../src/lab/fromSnapshot/labOfSnapshot.js'
import type { Selection } from '../../../src/lab/fromSnapshot/selected.js'
import { planSnapshot } from '../../../src/lab/plan/planSnapshot.js'

const folder = 'test/golden/bundles'
const bundle = async (name: string) => (await readAttachedSnapshot(join(folder, name, 'bundle'))).snapshot

async function labOf(t: Test, name: string, selection?: Selection) {
  const made = labOfSnapshot(await bundle(name), selection)
  const [lab, objects] = labFiles(made)
  const path = t.testdir({ 'lab.yaml': lab?.text ?? '', manifests: { 'cluster.yaml': objects?.text ?? '' } })
  return { made, path, plan: planSnapshot(path) }
}

/** The codes of bundles whose fault is in objects; those of other bundles have it on a node, where kube-proxy does not write. */
const inObjects: Readonly<Record<string, string>> = {
  'dump-target-port': 'targetport-unserved',
  'paste-selector': 'selector-matches-nothing',
  'troubleshoot-etp-local': 'external-policy-local',
  'nft-readiness': 'probe-port-unserved',
}

for (const entry of readdirSync(folder, { withFileTypes: true }))
  if (entry.isDirectory())
    t.test(`the cluster of ${entry.name} as a lab`, async (t) => {
      const { model } = await bundle(entry.name)
      const { plan, made } = await labOf(t, entry.name)
      const { findings } = check(plan)
      const codes = [...new Set(findings.map(({ code }) => code))]
      t.strictSame(codes, [inObjects[entry.name] ?? []].flat())
      const addresses = new Map(
        plan.model.cluster.services.map(({ metadata, spec }) => [metadata.name, spec.clusterIP]),
      )
      for (const { metadata, spec } of model.cluster.services)
        if (!['kubernetes', 'kube-dns'].includes(metadata.name))
          t.equal(addresses.get(metadata.name), spec.clusterIP ?? spec.clusterIPs?.[0], metadata.name)
      t.strictSame(
        plan.model.topology.nodes.map(({ name }) => name),
        model.topology.nodes.map(({ name }) => name),
      )
      const ips = new Map(
        plan.model.cluster.pods.map(({ metadata, status }) => [metadata.name, status?.podIP]),
      )
      const hasOwn = !made.notices.some((notice) => notice.startsWith('pods get other addresses'))
      for (const { kind, metadata } of made.objects)
        if (kind === 'Pod' && hasOwn) {
          const before = model.cluster.pods.find((one) => one.metadata.name === metadata.name)
          t.equal(ips.get(metadata.name), before?.status?.podIP, metadata.name)
        }
    })

t.test('a part of a cluster', async (t) => {
  const { made, plan } = await labOf(t, 'troubleshoot-etp-local', { services: ['shop/web'] })
  t.strictSame(
    made.objects.flatMap(({ kind, metadata }) => (kind === 'Node' ? [] : [`${kind} ${metadata.name}`])),
    ['Pod web-5d9d7c57b8-2zvlc', 'Pod web-5d9d7c57b8-txtcb', 'Service web'],
  )
  t.strictSame(
    check(plan).findings.map(({ code }) => code),
    ['external-policy-local'],
  )
  const of = async (selection: Selection) =>
    (await labOf(t, 'troubleshoot-etp-local', selection)).made.objects
  t.notOk((await of({ nodes: ['app-2'] })).some(({ metadata }) => metadata.name === 'web-5d9d7c57b8-txtcb'))
  t.strictSame(
    (await of({ namespaces: ['shop'] })).flatMap(({ kind, metadata }) =>
      kind === 'Service' ? [metadata.name] : [],
    ),
    ['web'],
  )
})

t.test('what a snapshot does not have cannot be chosen', async (t) => {
  const snapshot = await bundle('troubleshoot-etp-local')
  t.throws(() => labOfSnapshot(snapshot, { services: ['shop/wbe'] }), {
    message: 'the snapshot has no Service "shop/wbe"; did you mean "shop/web"?',
  })
  t.throws(() => labOfSnapshot(snapshot, { nodes: ['app-9'] }), {
    message: /^the snapshot has no node "app-9"/,
  })
})

t.test('more pods than a host starts are refused', async (t) => {
  const snapshot = await bundle('troubleshoot-etp-local')
  const { cluster } = snapshot.model
  const pod = cluster.pods.find(({ metadata }) => metadata.name.startsWith('web-'))
  const pods = Array.from({ length: 251 }, (_, index) => ({
    ...pod!,
    metadata: { ...pod!.metadata, name: `web-${index}` },
  }))
  t.throws(
    () => labOfSnapshot({ ...snapshot, model: { ...snapshot.model, cluster: { ...cluster, pods } } }),
    {
      message: /has 251 pods behind Services, and a lab of it at most 250; choose with --service/,
    },
  )
})

t.test('with the rules as they were read, the lab has their fault', async (t) => {
  const snapshot = await bundle('microk8s-forward-drop')
  const made = labOfSnapshot(snapshot, { rules: 'saved' })
  const files = labFiles(made)
  t.match(
    files.map(({ path }) => path),
    ['lab.yaml', 'manifests/cluster.yaml', 'rules/mk8s-1.iptables.txt'],
  )
  const path = t.testdir({ manifests: {}, rules: {} })
  for (const file of files) writeFileSync(join(path, file.path), file.text)
  const plan = planSnapshot(path)
  const own = (one: Snapshot, node: string) => {
    const { netns } = one.model.topology.nodes.find(({ name }) => name === node) ?? { netns: '' }
    const filter = one.state.rules.get(netns)?.IPv4?.get('filter')
    return [...(filter ?? [])].flatMap(([chain, { policy, rules }]) => [
      `${chain} ${policy ?? '-'}`,
      ...rules.map(({ spec }) => spec.replace(/ -m nfacct --nfacct-name +\S+/, '')),
    ])
  }
  for (const { name } of snapshot.model.topology.nodes)
    t.strictSame(own(plan, name), own(snapshot, name), name)
  t.ok(own(plan, 'mk8s-1').includes('FORWARD DROP'))
  const codes = check(plan).findings.map(({ code }) => code)
  t.ok(codes.includes('forward-policy-drop'), codes.join())
})

t.test('rules that cannot be restored are refused, with the reason', async (t) => {
  const snapshot = await bundle('nft-readiness')
  t.throws(() => labOfSnapshot(snapshot, { rules: 'saved' }), {
    message: /cannot be restored in a lab: table kube-proxy of nftables is not one of iptables/,
  })
})
