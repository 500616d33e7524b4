import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { followHostPorts } from '../../src/lab/live/followHostPorts.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import type { StartOptions } from '../../src/lab/up/startOptions.js'
import type { RunningLab } from '../../src/lab/up/runningLab.js'
import { cannotRun } from './ability.js'
import { startLab } from './startLab.js'

const steps = `steps: [{ name: none, command: ['true'] }]\n`

async function start(
  t: Test,
  lab: string,
  manifest: string,
  options: StartOptions = {},
): Promise<RunningLab> {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-network-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'network'))
  writeFileSync(join(folder, 'network/lab.yaml'), `manifests: [app.yaml]\n${lab}${steps}`)
  writeFileSync(join(folder, 'network/app.yaml'), manifest)
  return startLab(t, prepareLab(join(folder, 'network')), { capture: false, ...options })
}

function placeIn(started: RunningLab, name: string) {
  const place = started.prepared.topology.places.find((one) => one.name === name)
  if (place === undefined) throw new Error(`no place ${name}`)
  return place
}

const run = (started: RunningLab, where: string, ...argv: string[]) =>
  started.exec(placeIn(started, where), argv)
const get = (started: RunningLab, where: string, url: string) =>
  run(started, where, 'curl', '-sg', '--max-time', '30', url)

const pod = (name: string, node: string, ports: string) => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec: { nodeName: ${node}, containers: [{ name: c, image: x, ports: [${ports}] }] }
---
`
const port80 = '{ containerPort: 80 }'

t.test('an overlay of both families carries packets between pods', { skip: cannotRun }, async (t) => {
  const started = await start(
    t,
    'topology: { families: [IPv4, IPv6], network: { mode: vxlan } }\n',
    pod('one', 'node-a', port80) + pod('two', 'node-b', port80),
    { capture: true },
  )
  for (const [url, device] of [
    ['http://10.244.2.2/', 'flannel.1'],
    ['http://[fd00:244:0:2::2]/', 'flannel-v6.1'],
  ] as const) {
    const action = { kind: 'curl', url, headers: {}, timeoutSeconds: 30 } as const
    const { flows, requests } = await started.observe(placeIn(started, 'one'), action, 1, { packets: true })
    t.match(requests[0]?.echo, { pod: 'two' })
    const [flow] = flows
    t.same(
      flow?.hops
        .filter(({ netns }) => netns.startsWith('node-'))
        .map(({ netns, interface: name, direction, tunnel }) =>
          [
            netns,
            name,
            direction,
            ...(tunnel === undefined ? [] : [`${tunnel.protocol} ${tunnel.vni}`]),
          ].join(' '),
        )
        .filter((hop) => !/ (veth|cni0)/.test(hop)),
      [`node-a ${device} out`, 'node-a eth0 out vxlan 1', 'node-b eth0 in vxlan 1', `node-b ${device} in`],
    )
    t.same(flow?.nat, [])
  }
  const large = await run(started, 'one', 'ping', '-c1', '-W30', '-Mdo', '-s1402', '10.244.2.2')
  t.equal(large.exitCode, 0, 'a packet of the whole MTU')
})

t.test('a network without masquerade keeps the addresses of pods', { skip: cannotRun }, async (t) => {
  const lab = (masquerade: boolean) =>
    `topology: { nodes: [node-a], network: { masquerade: ${masquerade} } }\n`
  const rules = async (masquerade: boolean) => {
    const started = await start(t, lab(masquerade), pod('one', 'node-a', port80))
    return (await run(started, 'node-a', 'iptables-save', '-t', 'nat')).stdout
  }
  t.match(await rules(true), '-A POSTROUTING -s 10.244.1.0/24 ! -d 10.244.0.0/16 ! -o cni0')
  t.notMatch(await rules(false), '-s 10.244.1.0/24')
})

t.test('without a kube-proxy nothing of it stands on a node', { skip: cannotRun }, async (t) => {
  const started = await start(
    t,
    'kubeProxy: false\ntopology: { network: { masquerade: false } }\n',
    pod('one', 'node-a', port80),
    { healthz: true },
  )
  t.equal(started.proxiers, undefined)
  for (const tool of ['iptables-save', 'ip6tables-save'])
    t.notMatch((await run(started, 'node-a', tool)).stdout, /^-A/m, tool)
  t.notMatch((await run(started, 'node-a', 'ss', '-Htln')).stdout, ':10256')
  t.throws(
    () => prepareLab(started.prepared.lab.directory, { kubeProxyBinary: '/bin/true' }),
    /lab.yaml:2:12: the nodes of this lab have no kube-proxy/,
  )
})

t.test('hostPorts open and close with their pods', { skip: cannotRun }, async (t) => {
  const ports = '{ containerPort: 80, hostPort: 8080 }, { containerPort: 53, hostPort: 5353, protocol: UDP }'
  const started = await start(
    t,
    'topology: { families: [IPv4, IPv6] }\n',
    pod('one', 'node-a', ports) + pod('two', 'node-a', '{ containerPort: 80, hostPort: 8081 }'),
  )
  const { prepared, sandbox, machine } = started
  const urls = (port: number) => [`http://172.18.0.2:${port}/`, `http://[fd00:18::2]:${port}/`]
  const answers = async (port: number) =>
    Promise.all(urls(port).map(async (url) => (await get(started, 'client', url)).exitCode))
  t.same(await answers(8080), [0, 0])
  t.same(await answers(8081), [0, 0])
  t.match((await get(started, 'node-a', 'http://127.0.0.1:8080/')).stdout, '"pod":"one"')
  const argv = ['nc', '-u', '-p', '7777', '-w30', '-W1', '172.18.0.2', '5353']
  const datagram = () => started.exec(placeIn(started, 'client'), argv, { input: 'hello\n' })
  const entries = async () => (await run(started, 'node-a', 'conntrack', '-L', '-p', 'udp')).stdout
  await datagram()
  t.match(await entries(), 'dport=5353')
  const follow = followHostPorts(sandbox, machine.iptables, prepared)
  const without = (name: string) => ({
    ...prepared,
    cluster: {
      ...prepared.cluster,
      pods: prepared.cluster.pods.filter(({ metadata }) => metadata.name !== name),
    },
  })
  await follow(without('one'))
  t.same(await answers(8080), [7, 7], 'refused')
  t.same(await answers(8081), [0, 0])
  t.notMatch(await entries(), 'dport=5353', 'a client that keeps its port is let go')
  await follow({ ...prepared, cluster: { ...prepared.cluster, pods: [] } })
  t.same(await answers(8081), [7, 7])
  const saved = (await run(started, 'node-a', 'iptables-save', '-t', 'nat')).stdout
  t.notMatch(saved, /CNI-DN-|-j CNI-/)
  t.match(saved, '-j KUBE-SERVICES', 'what kube-proxy wrote stands')
  await follow(prepared)
  t.same(await answers(8080), [0, 0])
  t.same(await answers(8081), [0, 0])
})
