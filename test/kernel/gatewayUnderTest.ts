import type { Test } from 'tap'
import type { GatewayCondition } from '../../src/cluster/types/gateway.js'
import type { KubeObject } from '../../src/cluster/types.js'
import { defaultCertificate } from '../../src/ingress/certificateFiles.js'
import { gatewayConfiguration } from '../../src/ingress/gateway/gatewayConfiguration.js'
import { withGatewayStatus } from '../../src/ingress/gateway/gatewayStatus.js'
import type { Certificate } from '../../src/ingress/model.js'
import { cluster } from '../cluster/lab.js'
import type { Answer, Ask } from '../fixtures/ingressPeer.js'
import { controller, gatewayClass, grant } from '../ingress/gateway/objects.js'
import { pointed } from './pointed.js'
import { echo } from './proxyModels.js'
import { proxyUnderTest, selfSigned, type ProxyName, type ProxyUnderTest } from './proxyUnderTest.js'

/** The expected answer, as far as it is given. */
export interface Expected {
  readonly status?: number
  readonly backend?: string
  readonly url?: string
  /** Headers that the backend saw; undefined: it saw none. */
  readonly seen?: Readonly<Record<string, string | undefined>>
  /** Headers of the answer. */
  readonly answered?: Readonly<Record<string, string | undefined>>
  readonly location?: string
  readonly certificate?: string
  readonly body?: string
  /** The connection is closed without an answer. */
  readonly closed?: true
}

/** A request: to the first port of its case, or one so much higher. */
export type CaseAsk = Omit<Partial<Ask>, 'port'> & { readonly above?: number }

/** What a conformance test of the Gateway API tests, in a namespace and on ports of its own. */
export interface GatewayCase {
  /** The short name of that test, which is also the namespace in lower case. */
  readonly name: string
  /** The first of its ports; one that nobody else has by default. */
  readonly port?: number
  /** Proxies that cannot do it. */
  readonly without?: readonly ProxyName[]
  readonly objects: (port: number, namespace: string) => readonly object[]
  readonly asks?: readonly (readonly [ask: CaseAsk, expected: Expected])[]
  /** Reasons of the conditions Accepted and ResolvedRefs of routes, `Kind/name`, in the status of their first parent. */
  readonly reasons?: Readonly<Record<string, readonly string[]>>
  /** Routes attached to each listener of the Gateway `edge`. */
  readonly attached?: readonly number[]
}

const portsEach = 5

/** A reference to the Secret of a certificate for this name, which a case may use by `secretGrant`. */
export function certificateRef(name: 'a.example.com' | 'b.example.com') {
  return { name, namespace: 'secrets' }
}

/** Leave for the Gateways of a namespace to use those certificates. */
export function secretGrant(namespace: string): object {
  const metadata = { name: namespace, namespace: 'secrets' }
  return grant({ kind: 'Gateway', namespace }, { kind: 'Secret' }, metadata)
}

/** A second namespace of a case. */
export function elsewhere(namespace: string): string {
  return `${namespace}-other`
}

/** Has a proxy serve the objects of all cases at once, and asks what each asks. */
export async function tryGatewayCases(
  t: Test,
  proxyName: ProxyName,
  all: readonly GatewayCase[],
): Promise<ProxyUnderTest> {
  const cases = all
    .filter(({ without = [] }) => !without.includes(proxyName))
    .map((one, index) => ({
      ...one,
      port: one.port ?? 8100 + index * portsEach,
      namespace: one.name.toLowerCase(),
    }))
  const certificate = (name: string) => selfSigned(t, name)
  const objects: readonly object[] = [
    gatewayClass,
    ...['a.example.com', 'b.example.com'].map((name) => tlsSecret('secrets', name, certificate(name))),
    ...cases.flatMap(({ objects, port, namespace }) =>
      [...services, ...objects(port, namespace)].map((one) => inNamespace(one as KubeObject, namespace)),
    ),
  ]
  const service = { namespace: 'default', name: 'no-such' }
  const given = cluster(objects.map((one) => JSON.stringify(one)).join('\n---\n'), {
    ingressControllers: [{ controller, service, proxy: proxyName }],
  })
  const withStatus = withGatewayStatus(given, controller, [{ ip: '192.0.2.1' }])
  const { configuration } = gatewayConfiguration(given, controller)
  const proxy = await proxyUnderTest(
    t,
    proxyName,
    pointed({
      ...configuration,
      certificates: { ...configuration.certificates, [defaultCertificate]: certificate('own.example') },
    }),
  )
  for (const { name, namespace, reasons = {}, attached } of cases) {
    const own = ({ metadata }: KubeObject) => metadata.namespace === namespace
    const routes = [
      ...(withStatus.httpRoutes ?? []),
      ...(withStatus.grpcRoutes ?? []),
      ...(withStatus.tlsRoutes ?? []),
    ].filter(({ metadata }) => [namespace, elsewhere(namespace)].includes(metadata.namespace ?? ''))
    for (const [which, expected] of Object.entries(reasons)) {
      const route = routes.find(({ kind, metadata }) => `${kind}/${metadata.name}` === which)
      t.same(reasonsOf(route?.status?.parents[0]?.conditions), expected, `${name}: ${which}`)
    }
    if (attached === undefined) continue
    const edge = withStatus.gateways?.find(own)?.status?.listeners ?? []
    t.same(
      edge.map(({ attachedRoutes }) => attachedRoutes),
      attached,
      `${name}: attached routes`,
    )
  }
  const asks = cases.flatMap(({ name, port, asks = [] }) =>
    asks.map(([{ above = 0, ...ask }, expected]) => ({
      name,
      ask: { path: '/', ...ask, port: port + above },
      expected,
    })),
  )
  const answers = await proxy.ask(...asks.map(({ ask }) => ask))
  for (const [index, { name, ask, expected }] of asks.entries())
    t.strictSame(found(expected, answers[index]), expected, `${name}: ${JSON.stringify(ask).slice(0, 150)}`)
  return proxy
}

const services = ['a', 'b', 'c', 'pair', 'secure', 'grpc'].map((name) => serviceNamed(name, { port: 80 }))

/** A Service with a port; its endpoints are those of the peers of its name. */
export function serviceNamed(name: string, port: object, metadata: object = {}) {
  return {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, ...metadata } },
    spec: { selector: { app: name }, ports: [port] },
  }
}

function inNamespace(object: KubeObject, namespace: string): KubeObject {
  return { ...object, metadata: { namespace, ...object.metadata } }
}

function tlsSecret(namespace: string, name: string, { certificate, key }: Certificate): object {
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  const data = { 'tls.crt': encoded(certificate), 'tls.key': encoded(key) }
  return {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace } },
    ...{ type: 'kubernetes.io/tls', data },
  }
}

function reasonsOf(conditions: readonly GatewayCondition[] = []): string[] {
  return conditions.map(({ reason }) => reason)
}

/** The answer in the words of what is expected. */
function found(expected: Expected, answer: Answer | undefined): Expected {
  const { status, headers = {}, certificate, error } = answer ?? {}
  const echoed = status === 200 && answer?.body.startsWith('{') === true ? echo(answer) : undefined
  const only = (wanted: object | undefined, all: Readonly<Record<string, unknown>> = {}) =>
    Object.fromEntries(
      Object.keys(wanted ?? {}).map((name) => [name, all[name.toLowerCase()] as string | undefined]),
    )
  const all: Required<Expected> = {
    status: status ?? 0,
    backend: echoed?.backend ?? `status ${status} ${error ?? ''}`,
    url: echoed?.url ?? '',
    seen: only(expected.seen, echoed?.headers),
    answered: only(expected.answered, headers),
    location: String(headers['location']),
    certificate: certificate ?? '',
    body: answer?.body ?? '',
    closed: (status === undefined) as true,
  }
  return Object.fromEntries(Object.keys(expected).map((key) => [key, all[key as keyof Expected]]))
}
