// Serves so many hosts with two paths each from a sandbox, on http and https, and changes one of them again and again:
// `node serveHosts.mjs <nginx|haproxy> <hosts>`. Prints milliseconds as JSON (ServedHosts).
import { setTimeout as delay } from 'node:timers/promises'
import { makeCertificate } from '../../../src/host/certificate.js'
import { configuredProxy } from '../../../src/host/ingress/configuredProxy.js'
import { proxyCommand, proxyPrograms } from '../../../src/host/ingress/proxyProgram.js'
import { runningProxies } from '../../../src/host/ingress/runningProxies.js'
import { startSandbox } from '../../../src/host/sandbox/startSandbox.js'
import { defaultCertificate } from '../../../src/ingress/certificateFiles.js'
import type { ProxyConfiguration } from '../../../src/ingress/model.js'

/** Processor time of each writing of a configuration, and the time from each change until it is what is served. */
export interface ServedHosts {
  readonly written: readonly number[]
  readonly changed: readonly number[]
}

const [name = 'nginx', hosts = '10'] = process.argv.slice(2)
const times = 8
const folder = '/run/vethlab/ingress/bench'

const program = proxyPrograms[name as keyof typeof proxyPrograms]
const sandbox = await startSandbox('bench')
const certificate = makeCertificate({ hosts: ['ingress.local'], days: 1 }, new Date())
const written: number[] = []
for (let turn = 0; turn < times; turn++) {
  const model = manyHosts(turn)
  const before = process.cpuUsage()
  program.write(model, { folder, generation: '1', families: ['IPv4'] })
  const { user, system } = process.cpuUsage(before)
  written.push((user + system) / 1000)
}

const configured = configuredProxy(sandbox, { program, folder, families: ['IPv4'] })
await put(0)
sandbox.start(proxyCommand(program, folder), { log: '/run/proxy.log' })
while (runningProxies(sandbox, program, folder).length === 0) await delay(5)
await configured.settle()
const changed: number[] = []
for (let turn = 1; turn <= times; turn++) {
  const start = performance.now()
  await put(turn)
  changed.push(performance.now() - start)
}
await sandbox.stop()
process.stdout.write(JSON.stringify({ written, changed } satisfies ServedHosts))

async function put(turn: number): Promise<void> {
  const outcome = await configured.put(manyHosts(turn))
  if (!outcome.live) throw new Error(outcome.message)
}

/** Two endpoints behind each path; the first host's paths are another's each turn. */
function manyHosts(turn: number): ProxyConfiguration {
  const all = Array.from({ length: Number(hosts) }, (_, index) => ({
    hostname: `host-${index}.example.com`,
    wildcard: 'one-label' as const,
    routes: [1, 2].map((part) => ({
      id: `Ingress/default/host-${index}/${part}`,
      path: { type: 'Prefix' as const, value: `/part-${part}${index === 0 ? `-${turn}` : ''}` },
      ...{ headers: [], query: [] },
      action: {
        kind: 'forward' as const,
        backends: [
          {
            ...{ name: `default/part-${part}`, weight: 1, protocol: 'HTTP' as const },
            endpoints: [1, 2].map((end) => ({
              address: `10.244.${index % 250}.${part * 2 + end}`,
              port: 80,
            })),
          },
        ],
      },
    })),
  }))
  const listener = { proxyProtocol: false, hosts: all }
  return {
    listeners: [
      { ...listener, port: 80, protocol: 'HTTP' },
      { ...listener, port: 443, protocol: 'HTTPS' },
    ],
    certificates: { [defaultCertificate]: certificate },
  }
}
