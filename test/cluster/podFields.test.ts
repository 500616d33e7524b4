import t from 'tap'
import { cluster, deployment, refusals } from './lab.js'

const pod = (spec: string, container = '') =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { containers: [{ name: a, image: x${container} }]${spec} }\n`

t.test('fields that vethlab uses are validated', (t) => {
  const cases: readonly [text: string, refusal: RegExp][] = [
    [pod(', dnsPolicy: clusterFirst'), /spec\.dnsPolicy: Unsupported value: "clusterFirst"/],
    [pod(', dnsConfig: { nameserver: [10.0.0.1] }'), /unknown field "spec\.dnsConfig\.nameserver"/],
    [pod(', dnsConfig: { nameservers: [ten] }'), /spec\.dnsConfig\.nameservers\[0\]: Invalid value: "ten"/],
    [pod(', dnsPolicy: None'), /spec\.dnsConfig: Required value/],
    [
      pod(', dnsConfig: { nameservers: [10.0.0.1, 10.0.0.2, 10.0.0.3, 10.0.0.4] }'),
      /must not have more than 3 nameservers/,
    ],
    [pod(', dnsConfig: { searches: [UP.example] }'), /spec\.dnsConfig\.searches\[0\]: Invalid value/],
    [pod(', dnsConfig: { options: [{ value: "2" }] }'), /spec\.dnsConfig\.options\[0\].*must not be empty/],
    [
      pod(', hostAliases: [{ ip: here, hostnames: [a.example] }]'),
      /spec\.hostAliases\[0\]\.ip: Invalid value/,
    ],
    [pod(', hostAliases: [{ ip: 10.0.0.1, names: [a] }]'), /unknown field "spec\.hostAliases\[0\]\.names"/],
    [
      pod('', ', lifecycle: { prestop: { sleep: { seconds: 1 } } }'),
      /unknown field "spec\.containers\[0\]\.lifecycle\.prestop"/,
    ],
    [
      pod('', ', lifecycle: { preStop: {} }'),
      /lifecycle\.preStop: Required value: must specify a handler type/,
    ],
    [
      pod('', ', lifecycle: { preStop: { sleep: { seconds: 1 }, exec: { command: [ls] } } }'),
      /lifecycle\.preStop\.exec: Forbidden|lifecycle\.preStop\.sleep: Forbidden/,
    ],
    [
      pod('', ', lifecycle: { preStop: { sleep: { seconds: -1 } } }'),
      /preStop\.sleep: Invalid value: -1: must be non-negative and less than terminationGracePeriodSeconds \(30\)/,
    ],
  ]
  for (const [text, refusal] of cases)
    t.match(refusals(() => cluster(text)).join('\n'), refusal, String(refusal))
  t.end()
})

t.test('and valid ones pass', (t) => {
  const good = pod(
    ', dnsPolicy: None, dnsConfig: { nameservers: [10.0.0.1], searches: [a.example.], options: [{ name: ndots, value: "2" }, { name: rotate }] }, hostAliases: [{ ip: 10.0.0.1, hostnames: [a.example] }]',
    ', lifecycle: { preStop: { exec: { command: [ls] } } }',
  )
  t.equal(cluster(good).pods.length, 1)
  t.equal(cluster(deployment('web', 2)).pods.length, 2)
  t.end()
})
