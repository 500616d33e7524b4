import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { KubeProxyConfiguration } from '../../src/agents/kubeProxy/config.js'
import { compareNodes } from '../../src/inspect/compareNodes.js'
import { snapshotOfNode } from '../../src/inspect/attached.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { readBundle } from '../../src/snapshot/attached/bundle.js'
import { snapshotOf } from '../../src/snapshot/fromPlan/plannedState.js'
import { goldenCases } from '../agents/kubeProxy/goldenCases.js'
import { ipvsCases } from '../agents/kubeProxy/ipvs/goldenIpvs.js'

// What real kube-proxies wrote, attached as texts: there is no difference, and each edit of a text is one.

type Texts = Readonly<Record<string, string>>

const golden = 'test/golden/kube-proxy-1.36'

function compare(texts: Texts, config?: KubeProxyConfiguration, node?: string) {
  const files = Object.entries(texts).map(([path, text]) => ({ path, bytes: Buffer.from(text) }))
  const bundle = readBundle('bundle', files)
  const given = { config, node }
  const snapshot = snapshotOfNode(bundle, given)
  const [first] = compareNodes(snapshot, given)
  const families = first?.comparison.families ?? []
  return {
    ...first,
    mode: first?.comparison.mode,
    differences: families.flatMap(({ differences }) => differences),
  }
}

const read = (...path: string[]) => readFileSync(join(golden, ...path), 'utf8')

t.test('iptables-save and nft list ruleset, attached with the objects', (t) => {
  for (const { name, input, nft } of goldenCases()) {
    const objects = { 'objects.yaml': read(name, 'objects.yaml') }
    const node = input.node.metadata.name
    const saves = {
      'iptables-save.txt': read(name, 'iptables-save.txt'),
      'ip6tables-save.txt': read(name, 'ip6tables-save.txt'),
    }
    // of the recorded configuration the texts show all that mode iptables needs
    const saved = compare({ ...objects, ...saves }, input.config, node)
    t.strictSame(saved.differences, [], name)
    t.equal(saved.mode, 'iptables')
    if (nft === undefined) continue
    const listed = compare(
      { ...objects, 'nft.txt': read(name, 'nft-ip.txt') + read(name, 'nft-ip6.txt') },
      input.config,
      node,
    )
    t.equal(listed.mode, 'nftables', name)
    t.strictSame(listed.differences, [], name)
  }
  t.end()
})

const ipvsFolder = `${golden}-ipvs`

/** The recording of a case as its tools print it. */
function ipvsTexts(name: string, { ipset, device }: { ipset: readonly string[]; device: readonly string[] }) {
  const of = (file: string) => readFileSync(join(ipvsFolder, name, file), 'utf8')
  const isCreate = (line: string) => line.startsWith('create')
  const address = (line: string) => `    ${line} scope global kube-ipvs0\n`
  return {
    'iptables-save.txt': of('iptables-save.txt'),
    'ip6tables-save.txt': of('ip6tables-save.txt'),
    'ipvsadm.txt': of('ipvsadm.txt'),
    'ipset.txt': [...ipset.filter(isCreate), ...ipset.filter((line) => !isCreate(line))].join('\n'),
    'ip-addr.txt': `2: eth0: <BROADCAST,UP> mtu 1500\n    inet 172.18.0.2/16 scope global eth0\n    inet6 fd00:18::2/64 scope global\n3: kube-ipvs0: <BROADCAST,NOARP> mtu 1500\n${device.map(address).join('')}`,
    'ip-route.txt': 'default via 172.18.0.1 dev eth0\n',
  }
}

t.test('the state of IPVS', (t) => {
  for (const { name, input, ...recorded } of ipvsCases()) {
    if (!existsSync(join(golden, name))) continue
    const objects = { 'objects.yaml': read(name, 'objects.yaml') }
    const found = compare({ ...objects, ...ipvsTexts(name, recorded) }, input.config, 'node-a')
    t.equal(found.mode, 'ipvs', name)
    t.strictSame(found.differences, [], name)
  }
  t.end()
})

t.test('without --node and without a configuration, both are those of the rules', (t) => {
  const objects = { 'objects.yaml': read('nodeport-etp-local', 'objects.yaml') }
  const save = read('nodeport-etp-local', 'iptables-save.txt')
  const found = compare({ ...objects, 'save.txt': save })
  t.match(found, { node: 'node-a', mode: 'iptables', differences: [] })
  t.match(found.snapshot?.notices.join(), /nothing names the node of the rules/)
  t.end()
})

t.test('an edit of a text is a difference, with its file and line', (t) => {
  const objects = { 'objects.yaml': read('nodeport-basic', 'objects.yaml') }
  const save = read('nodeport-basic', 'iptables-save.txt')
  const edited = save.replace('-A KUBE-MARK-MASQ -j MARK', '-A KUBE-MARK-MASQ -p tcp -j MARK')
  const line = edited.split('\n').findIndex((one) => one.includes('KUBE-MARK-MASQ -p tcp')) + 1
  t.match(compare({ ...objects, 'save.txt': edited }).differences, [
    { kind: 'differentRule', chain: 'KUBE-MARK-MASQ', file: 'save.txt', line },
  ])
  const nft = read('nodeport-basic', 'nft-ip.txt')
  const element = / *10\.96\.0\.20 \. tcp \. 80 : goto [^,\n]*,?/
  t.match(nft, element)
  const { node } = compare({ ...objects, 'nft.txt': nft })
  t.match(compare({ ...objects, 'nft.txt': nft.replace(element, '') }, undefined, node).differences, [
    { kind: 'missingRule', table: 'map', chain: 'service-ips', expected: /^10\.96\.0\.20 \. tcp \. 80/ },
  ])
  const [one] = ipvsCases().filter(({ name }) => name === 'nodeport-basic')
  const texts = ipvsTexts('nodeport-basic', one ?? { ipset: [], device: [] })
  const without = (file: keyof typeof texts, text: string | RegExp) =>
    compare({ ...objects, ...texts, [file]: texts[file].replace(text, '') }, one?.input.config, 'node-a')
      .differences
  t.match(without('ipset.txt', 'add KUBE-CLUSTER-IP 10.96.0.20,tcp:80'), [
    { kind: 'missingRule', table: 'ipset', chain: 'KUBE-CLUSTER-IP', servicePort: /^\w+\/\w+/ },
  ])
  t.match(without('ipvsadm.txt', /^-a -t 10\.96\.0\.20:80 -r 10\.244\.1\.5:80.*\n/m), [
    { kind: 'missingRule', table: 'ipvs', expected: '-r 10.244.1.5:80 -m -w 1' },
  ])
  t.match(without('ip-addr.txt', / {4}inet 10\.96\.0\.20.*\n/), [
    { kind: 'missingRule', table: 'device', expected: '10.96.0.20' },
  ])
  t.end()
})

t.test('what is not attached is not compared, and said', (t) => {
  const objects = { 'objects.yaml': read('nodeport-basic', 'objects.yaml') }
  const save = readFileSync(join(ipvsFolder, 'nodeport-basic', 'iptables-save.txt'), 'utf8')
  const found = compare({ ...objects, 'save.txt': save })
  t.match(found, { mode: 'ipvs', differences: [] }, 'the ipsets that rules match are evidence of the mode')
  t.match(found.comparison?.unknown, [/kube-ipvs0/, /ipset save/, /ipvsadm/])
  t.throws(() => compare({ ...objects, 'save.txt': save }, undefined, 'node-b1'), {
    message: /no node|not attached/,
  })
  const cut = compare.bind(undefined, { ...objects, 'save.txt': save.slice(0, 600) })
  t.throws(cut, { message: /not attached, or could not be read/ })
  t.end()
})

t.test('another version: the sentence names it, in each mode', (t) => {
  const objects = { 'objects.yaml': read('nodeport-basic', 'objects.yaml') }
  const nft = read('nodeport-basic', 'nft-ip.txt').replaceAll('\tcomment "rules for kube-proxy"\n', '')
  const old = { ...goldenCases()[0]?.input.config, version: 31 } as KubeProxyConfiguration
  const files = { ...objects, 'nft.txt': nft }
  const found = compare(files, { ...old, mode: 'nftables', clusterCIDR: '10.244.0.0/16' }, 'node-a')
  t.ok(found.differences.length > 0)
  const [family] = found.comparison?.families ?? []
  t.match(
    family?.forms().version,
    /Compared with kube-proxy 1\.31\. The rules of kube-proxy 1\.3\d to 1\.37 have 0/,
  )
  t.end()
})

t.test('labs as they start have no difference, in each mode', (t) => {
  for (const lab of ['nodeport', 'traffic-policy', 'loadbalancer', 'dual-stack'])
    for (const mode of ['iptables', 'nftables', 'ipvs'] as const) {
      const compared = compareNodes(snapshotOf(prepareLab(lab, { mode })), {})
      t.ok(compared.length > 0)
      for (const { node, comparison } of compared)
        t.strictSame(
          comparison.families.flatMap(({ differences }) => differences),
          [],
          `${lab} ${mode} ${node}`,
        )
    }
  t.end()
})
