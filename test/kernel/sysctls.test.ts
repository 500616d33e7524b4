import t, { type Test } from 'tap'
import { runStages } from '../../src/host/sandbox/runPlan.js'
import type { Sandbox } from '../../src/host/sandbox/sandbox.js'
import { startSandbox } from '../../src/host/sandbox/startSandbox.js'
import { planPodSysctls } from '../../src/topology/planSysctls.js'
import { namespaceSysctls } from '../../src/topology/sysctls.js'
import type { Place } from '../../src/topology/types.js'
import { cannotRun } from './ability.js'

const names = Array.from({ length: 60 }, (_, index) => `pod-${index}`)
const places = names.map((netns) => ({ kind: 'pod', name: netns, netns }) as unknown as Place)
const wanted = namespaceSysctls('pod', ['IPv4'])

/** Namespaces with unusual values where the kernel would have copied them from the host. */
async function namespaces(t: Test, unusual: (netns: string) => string): Promise<Sandbox> {
  const sandbox = await startSandbox('test')
  t.teardown(() => sandbox.stop())
  const script = names.map((name) => {
    const values = unusual(name)
    const change = values === '' ? '' : `nsenter --net=/run/netns/${name} sysctl -q -w ${values}\n`
    return `ip netns add ${name}\n${change}`
  })
  await sandbox.must('making namespaces', ['sh', '-e', '-c', script.join('')])
  return sandbox
}

/** What differs from the wanted values; keys that this kernel does not have are not read. */
async function wrong(sandbox: Sandbox, netns: string): Promise<string[]> {
  const { stdout } = await sandbox.run(['sysctl', '-e', ...Object.keys(wanted)], { netns })
  const read = stdout.trim().split('\n')
  if (read.length < Object.keys(wanted).length / 2) throw new Error(`only ${read.length} values were read`)
  return read.filter((line) => {
    const [key = '', value = ''] = line.split(' = ')
    return String(wanted[key]) !== value.replaceAll('\t', ' ')
  })
}

const hosts: Readonly<Record<string, (netns: string) => string>> = {
  'a host with default values': () => '',
  'a host that is a router': () =>
    'net.ipv4.ip_forward=1 net.ipv4.conf.all.accept_redirects=1 net.ipv4.conf.lo.rp_filter=2',
  'a host with other values': () =>
    'net.ipv4.tcp_syn_retries=1 net.ipv4.conf.default.arp_ignore=8 net.ipv4.conf.all.accept_redirects=0',
  'a host whose values change meanwhile': (netns) =>
    Number(netns.slice(4)) < 30 ? '' : 'net.ipv4.conf.all.rp_filter=1 net.ipv4.ip_forward=1',
}

for (const [host, unusual] of Object.entries(hosts)) {
  t.test(`many pods on ${host}`, { skip: cannotRun }, async (t) => {
    const sandbox = await namespaces(t, unusual)
    if (unusual('pod-59') !== '') t.not((await wrong(sandbox, 'pod-59')).length, 0, 'values are wrong before')
    await runStages(sandbox, [planPodSysctls(places, ['IPv4'])])
    for (const netns of ['pod-0', 'pod-1', 'pod-29', 'pod-30', 'pod-58', 'pod-59'])
      t.same(await wrong(sandbox, netns), [], netns)
  })
}
