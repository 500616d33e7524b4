import t from 'tap'
import { renderTable } from '../../../../src/agents/kubeProxy/nftables/render.js'
import { buildTable } from '../../../../src/agents/kubeProxy/nftables/table.js'
import { versionNotices } from '../../../../src/agents/kubeProxy/versions/notices.js'
import { endpoint, input, service, slice } from '../objects.js'

const web = service('web', {
  type: 'NodePort',
  clusterIP: '172.30.0.41',
  ports: [{ name: 'http', port: 80, nodePort: 3001 }],
})
const slices = [slice('web', [endpoint('10.180.0.1', 'local'), endpoint('10.180.0.2', 'remote')])]

function written(version: number, services = [web]): string[] {
  const made = input(services, slices, { version, mode: 'nftables', clusterCIDR: '10.0.0.0/8' })
  const table = buildTable({ ...made, serviceCIDRs: ['172.30.0.0/16'] }, 'IPv4')
  return renderTable(table)
    .split('\n')
    .map((line) => line.replace(/ (service|external|endpoint)-[A-Z2-7]{8}-/g, ' $1-'))
}

/** Rules of a chain, without `add rule ip kube-proxy CHAIN`. */
function rulesOf(all: readonly string[], chain: string): string[] {
  const start = `add rule ip kube-proxy ${chain} `
  return all.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length))
}

t.test('the chains of a Service before 1.36', (t) => {
  for (const [version, port] of [
    [31, 'tcp dport 80 '],
    [33, 'tcp dport 80 '],
    [34, ''],
    [35, ''],
  ] as const) {
    const all = written(version)
    t.strictSame(rulesOf(all, 'service-ns1/web/tcp/http'), [
      `ip daddr 172.30.0.41 ${port}ip saddr != 10.0.0.0/8 jump mark-for-masquerade`,
      'numgen random mod 2 vmap { 0 : goto endpoint-ns1/web/tcp/http__10.180.0.1/80 , 1 : goto endpoint-ns1/web/tcp/http__10.180.0.2/80 }',
    ])
    t.strictSame(rulesOf(all, 'endpoint-ns1/web/tcp/http__10.180.0.1/80'), [
      'ip saddr 10.180.0.1 jump mark-for-masquerade',
      'meta l4proto tcp dnat to 10.180.0.1:80',
    ])
    t.strictSame(rulesOf(all, 'external-ns1/web/tcp/http'), [
      'jump mark-for-masquerade',
      'goto service-' + (rulesOf(all, 'external-ns1/web/tcp/http')[1]?.slice('goto service-'.length) ?? ''),
    ])
    t.strictSame(rulesOf(all, 'masquerading'), [
      'mark and 0x00004000 == 0 return',
      'mark set mark xor 0x00004000',
      'masquerade fully-random',
    ])
    t.strictSame(rulesOf(all, 'mark-for-masquerade'), ['mark set mark or 0x00004000'])
    t.notOk(all.some((line) => line.includes('hairpin-connections')))
  }
  t.end()
})

t.test('1.36 has none of this', (t) => {
  const all = written(36)
  t.notOk(all.some((line) => line.includes('mark-for-masquerade') || line.includes(' endpoint-')))
  t.ok(all.some((line) => line.startsWith('add element ip kube-proxy hairpin-connections')))
  t.strictSame(written(37), all)
  t.end()
})

t.test('the base chains, and what is dropped', (t) => {
  const hooks = (version: number) =>
    written(version)
      .filter((line) => line.startsWith('add chain ip kube-proxy filter-'))
      .map((line) => `${line.split(' ')[4] ?? ''} ${/priority (\S+)/.exec(line)?.[1] ?? ''}`)
  t.strictSame(hooks(32), [
    'filter-prerouting -110',
    'filter-input -110',
    'filter-forward -110',
    'filter-output -110',
    'filter-output-post-dnat -90',
  ])
  t.strictSame(rulesOf(written(32), 'filter-output'), [
    'ct state new jump service-endpoints-check',
    'ct state new jump firewall-check',
  ])
  t.strictSame(hooks(33), [
    'filter-prerouting-pre-dnat -110',
    'filter-output-pre-dnat -110',
    'filter-input 0',
    'filter-forward 0',
    'filter-output 0',
  ])
  const drops = (version: number) => rulesOf(written(version), 'cluster-ips-check').length
  t.strictSame([32, 33].map(drops), [1, 2], 'packets to addresses that no Service has')
  t.end()
})

t.test('a comment of more than 128 bytes is truncated; before 1.37 kube-proxy fails', (t) => {
  const name = 'a'.repeat(63)
  const long = service(name, { clusterIP: '172.30.0.42' }, [], 'n'.repeat(63))
  const elements = written(36, [long]).filter((line) => line.includes('comment "nnn'))
  t.equal(elements.length, 1)
  const comment = /comment "([^"]*)"/.exec(elements[0] ?? '')?.[1] ?? ''
  t.equal(comment, `${'n'.repeat(63)}/${name}:http`.slice(0, 128))

  const notices = (version: number, services = [long]) =>
    versionNotices(input([], [], { version, mode: 'nftables' }).config, services, { isDefaultMode: false })
  t.match(notices(36), [
    /kube-proxy 1\.36 writes no rule of any Service while n+\/a+:http has no endpoint.* 132 bytes/,
  ])
  t.strictSame(notices(37), [])
  t.strictSame(notices(36, [web]), [])
  const isDefault = (version: number) =>
    versionNotices(input([], [], { version }).config, [], { isDefaultMode: true })
  t.strictSame(isDefault(36), [])
  t.match(isDefault(37), [/^kube-proxy 1\.37 warns that the mode is not set/])
  t.end()
})
