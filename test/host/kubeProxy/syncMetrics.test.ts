import t from 'tap'
import { parseSyncMetrics } from '../../../src/host/kubeProxy/syncMetrics.js'
import { follows } from '../../../src/host/kubeProxy/untilSynced.js'

// the form of kube-proxy 1.36: pkg/proxy/metrics/metrics.go
const perFamily = (queued: string, synced: string) => `
# TYPE kubeproxy_sync_full_proxy_rules_duration_seconds histogram
kubeproxy_sync_full_proxy_rules_duration_seconds_count{ip_family="IPv4"} 2
kubeproxy_sync_partial_proxy_rules_duration_seconds_count{ip_family="IPv4"} 3
kubeproxy_sync_proxy_rules_duration_seconds_count{ip_family="IPv4"} 5
kubeproxy_sync_proxy_rules_duration_seconds_count{ip_family="IPv6"} 1
kubeproxy_sync_proxy_rules_last_queued_timestamp_seconds{ip_family="IPv4"} ${queued}
kubeproxy_sync_proxy_rules_last_queued_timestamp_seconds{ip_family="IPv6"} 1.7e+09
kubeproxy_sync_proxy_rules_last_timestamp_seconds{ip_family="IPv4"} ${synced}
kubeproxy_sync_proxy_rules_last_timestamp_seconds{ip_family="IPv6"} 1.7000000005e+09
`
const since = 1_700_000_100_000

t.test('metrics of kube-proxy', (t) => {
  t.same(parseSyncMetrics(perFamily('1.7000001002e+09', '0')), {
    count: 6,
    families: new Map([
      ['IPv4', { queued: 1700000100.2, synced: 0 }],
      ['IPv6', { queued: 1.7e9, synced: 1700000000.5 }],
    ]),
  })
  t.equal(parseSyncMetrics('go_goroutines 12\n'), undefined)
  t.end()
})

t.test('a change is followed when a sync that was requested after it has succeeded', (t) => {
  for (const [queued, synced, families, expected] of [
    ['1.7000001002e+09', '1.7000001003e+09', ['IPv4'], true],
    ['1.7000001002e+09', '1.7000001001e+09', ['IPv4'], false],
    ['1.7000000002e+09', '1.7000000003e+09', ['IPv4'], false],
    ['1.7000001002e+09', '1.7000001003e+09', ['IPv4', 'IPv6'], false],
    ['1.7000000002e+09', '1.7000000003e+09', [], true],
  ] as const) {
    const metrics = parseSyncMetrics(perFamily(queued, synced))
    t.equal(metrics && follows(metrics, { families, sinceMs: since }), expected, `${queued} ${synced}`)
  }
  t.end()
})

t.test('versions without the label have one series for both families', (t) => {
  const text = (queued: string) => `
kubeproxy_sync_proxy_rules_duration_seconds_count 4
kubeproxy_sync_proxy_rules_last_queued_timestamp_seconds ${queued}
kubeproxy_sync_proxy_rules_last_timestamp_seconds 1.7000001003e+09
`
  for (const [queued, expected] of [
    ['1.7000001002e+09', true],
    ['1.7000000002e+09', false],
  ] as const) {
    const metrics = parseSyncMetrics(text(queued))
    t.equal(metrics && follows(metrics, { families: ['IPv4'], sinceMs: since }), expected)
  }
  t.end()
})
