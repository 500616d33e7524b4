import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { request } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { build } from 'esbuild'
import type { Test } from 'tap'
import { findTool, toolEnvironment } from '../../src/host/environment.js'
import {
  configuredProxy,
  type ConfiguredProxy,
  type Outcome,
} from '../../src/host/ingress/configuredProxy.js'
import { proxyCommand, proxyPrograms } from '../../src/host/ingress/proxyProgram.js'
import { streamModule } from '../../src/host/machine.js'
import type { RunningCommand, Sandbox } from '../../src/host/sandbox/sandbox.js'
import { startSandbox } from '../../src/host/sandbox/startSandbox.js'
import type { Certificate, ProxyConfiguration } from '../../src/ingress/model.js'
import type { Answer, Ask, Load, Peers } from '../fixtures/ingressPeer.js'
import { until } from '../until.js'

/** The proxies that are tried. */
export const proxyNames = ['nginx', 'haproxy'] as const
export type ProxyName = (typeof proxyNames)[number]

/** Why a proxy cannot be tried here, for `skip`; false where it can. */
export function missingProxy(name: ProxyName): string | false {
  const missing = [name, 'openssl'].filter((tool) => findTool(tool) === undefined)
  return missing.length > 0 && `missing here: ${missing.join(', ')}`
}

/** A proxy that runs in a sandbox, between clients and backends on its loopback address. */
export interface ProxyUnderTest {
  readonly sandbox: Sandbox
  readonly folder: string
  put(configuration: ProxyConfiguration): Promise<Outcome>
  readonly configured: ConfiguredProxy
  ask(...asks: readonly Ask[]): Promise<Answer[]>
  /** Another replica of the proxy; it has a network namespace of its own. */
  start(netns?: string): RunningCommand
  /** Requests that backends got, by name. */
  seen(): Promise<{ backend: string; url: string; id: string }[]>
  startLoad(ask: Ask): Promise<void>
  stopLoad(): Promise<Load>
  /** What the proxy wrote down of each request. */
  log(): Record<string, string>[]
}

/** Backends by name: four for HTTP, one for HTTPS, and two for gRPC, with TLS and without. */
export const ports = {
  a: 9001,
  b: 9002,
  c: 9003,
  grpc: 9004,
  secure: 9005,
  grpcs: 9006,
  upstream: 9007,
} as const

/** A certificate made out to a name, signed by its own key. */
export function selfSigned(t: Test, name: string): Certificate {
  const folder = temporaryFolder(t)
  const [key, certificate] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const made = ['-x509', ...curve, '-days', '2', '-subj', `/CN=${name}`, '-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', ...made], { stdio: 'ignore' })
  return { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') }
}

function temporaryFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts it with a configuration. */
export async function proxyUnderTest(
  t: Test,
  name: ProxyName,
  first: ProxyConfiguration,
): Promise<ProxyUnderTest> {
  const sandbox = await startSandbox(`proxy-${name}`)
  t.teardown(() => sandbox.stop())
  await sandbox.must('the loopback address', ['ip', 'link', 'set', 'lo', 'up'])
  await startPeer(t, sandbox)
  const program = proxyPrograms[name]
  const folder = '/run/vethlab/ingress/under-test'
  const configured = configuredProxy(sandbox, {
    program,
    folder,
    families: ['IPv4'],
    streamModule: streamModule(),
  })
  const outcome = await configured.put(first)
  if (!outcome.live) throw new Error(outcome.message)
  const start = (netns?: string) =>
    sandbox.start(proxyCommand(program, folder), { netns, log: `${folder}/${netns ?? 'proxy'}.log` })
  start()
  const said = () => sandbox.inside.read(`${folder}/proxy.log`)
  await mustHold(async () => {
    await configured.settle()
    const [answer] = await post<Answer[]>(sandbox, '/ask', [
      { port: first.listeners[0]?.port ?? 0, path: '/' },
    ])
    return answer?.error?.includes('ECONNREFUSED') !== true
  }, said)
  return {
    ...{ sandbox, folder, configured, start },
    put: (configuration) => configured.put(configuration),
    ask: (...asks) => post(sandbox, '/ask', asks),
    seen: () => post(sandbox, '/seen'),
    startLoad: (ask) => post(sandbox, '/load', ask),
    stopLoad: () => post(sandbox, '/stop'),
    log: () => logOf(sandbox, folder),
  }
}

/** What backends speak that is not HTTP/1.1 without TLS. */
const kinds: Readonly<Record<string, 'https' | 'h2' | 'h2c'>> = { grpc: 'h2c', grpcs: 'h2', secure: 'https' }

async function startPeer(t: Test, sandbox: Sandbox): Promise<void> {
  const folder = temporaryFolder(t)
  const file = join(folder, 'peer.mjs')
  await build({
    ...{ entryPoints: ['test/fixtures/ingressPeer.ts'], outfile: file, bundle: true },
    ...{ platform: 'node', format: 'esm', target: 'node20.19', logLevel: 'warning' },
  })
  const peers: Peers = {
    backends: Object.entries(ports).map(([name, port]) => ({
      ...{ name, port, kind: kinds[name] ?? 'http' },
    })),
    ...selfSigned(t, 'backend'),
  }
  // the host's folders for temporary files are hidden in a sandbox
  await sandbox.writeFiles([{ path: peerFile, text: readFileSync(file, 'utf8') }])
  sandbox.start([process.execPath, peerFile, peerSocket, JSON.stringify(peers)], { log: '/run/peer.log' })
  const ready = () =>
    post(sandbox, '/seen').then(
      () => true,
      () => false,
    )
  await mustHold(ready, () => sandbox.inside.read('/run/peer.log'))
}

const peerFile = '/run/peer.mjs'
const peerSocket = '/run/peer.sock'

async function post<T>(sandbox: Sandbox, path: string, what?: unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    const posted = request(
      { socketPath: `/proc/${sandbox.pid}/root${peerSocket}`, path, method: 'POST', agent: false },
      (answer) => void json(answer).then((value) => resolve(value as T), reject),
    )
    posted.on('error', reject)
    posted.end(what === undefined ? undefined : JSON.stringify(what))
  })
}

/** Waits for a condition; throws with what was logged when it does not hold in time. */
export async function mustHold(holds: () => boolean | Promise<boolean>, log: () => string): Promise<void> {
  if (!(await until(holds))) throw new Error(`not in time: ${log()}`)
}

function logOf(sandbox: Sandbox, folder: string): Record<string, string>[] {
  const list = spawnSync('sh', ['-c', 'cat "$0"/run/*/requests.log', `/proc/${sandbox.pid}/root${folder}`], {
    encoding: 'utf8',
    env: toolEnvironment(),
  })
  const lines = list.stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Record<string, string>)
}
