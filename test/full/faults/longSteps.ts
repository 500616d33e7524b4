const topology = 'topology: { nodes: [node-a], clients: [client] }'
const drop = (what: string) =>
  `  - { name: drop, from: node-a, command: [iptables, -I, INPUT, ${what}, -j, DROP], expect: { exitCode: 0 } }`
const title = 'title: A lab whose last step lasts'
const web = `manifests: [manifests]`

/** A Deployment, for labs that have one. */
export const webManifest = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: nginx, ports: [{ containerPort: 80 }] }] }
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { type: NodePort, selector: { app: web }, ports: [{ port: 80, nodePort: 30080 }] }
`

/** Labs, each with a kind of step that lasts ten minutes, the longest that a step may; its name is `lasts`. */
export const longSteps: Readonly<Record<string, string>> = {
  command: [
    title,
    topology,
    'steps:',
    "  - { name: lasts, from: client, command: { argv: [sleep, '600'], timeout: 10m } }",
  ].join('\n'),
  'a command that ignores signals': [
    ...[title, topology, 'steps:'],
    `  - { name: lasts, from: client, command: { argv: [sh, -c, 'trap "" INT TERM HUP; while :; do sleep 600; done'], timeout: 10m } }`,
  ].join('\n'),
  curl: [
    ...[title, topology, 'steps:', drop("-p, tcp, --dport, '81'")],
    "  - { name: lasts, from: client, curl: { url: 'http://{node-a}:81/', timeout: 10m } }",
  ].join('\n'),
  'curl, repeated': [
    ...[title, topology, 'steps:', drop("-p, tcp, --dport, '81'")],
    "  - { name: lasts, from: client, repeat: 3, curl: { url: 'http://{node-a}:81/', timeout: 10m } }",
  ].join('\n'),
  nc: [
    ...[title, topology, 'steps:', drop("-p, udp, --dport, '81'")],
    "  - { name: lasts, from: client, nc: { host: '{node-a}', port: 81, udp: true, send: hello, timeout: 10m } }",
  ].join('\n'),
  ping: [
    ...[title, topology, 'steps:', drop('-p, icmp')],
    "  - { name: lasts, from: client, ping: { host: '{node-a}', timeout: 10m } }",
  ].join('\n'),
  wait: [
    ...[title, topology, web, 'steps:'],
    '  - { name: lasts, wait: { for: deployment/web, until: gone, timeout: 10m } }',
  ].join('\n'),
  'a command while a load runs': [
    ...[title, topology, web, 'steps:'],
    "  - { name: begins, from: client, load: { name: shoppers, curl: 'http://{node-a}:30080/', every: 10ms, parallel: 4 } }",
    "  - { name: lasts, from: client, command: { argv: [sleep, '600'], timeout: 10m } }",
    '  - { name: ends, stop: shoppers }',
  ].join('\n'),
  'a load whose requests are not answered': [
    ...[title, topology, web, 'steps:', drop("-p, tcp, --dport, '81'")],
    "  - { name: lasts, from: client, load: { name: shoppers, curl: { url: 'http://{node-a}:81/', timeout: 10m } } }",
    '  - { name: ends, stop: shoppers }',
  ].join('\n'),
}
