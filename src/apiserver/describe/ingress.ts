import { ingressClassName } from '../../cluster/ingressClass.js'
import type { Cluster, Ingress, IngressBackend, IngressClass, KubeObject } from '../../cluster/types.js'
import { serviceBackend } from '../../ingress/objects/serviceBackend.js'
import { tlsSecret } from '../../ingress/objects/tlsSecret.js'
import { socketText } from '../../net/socketText.js'
import type { Describer, Field, Section } from './describer.js'

/** An Ingress: its address, the backend of each path, and why parts of it are not served. */
export const ingressDescriber: Describer<Ingress> = {
  kind: 'Ingress',
  needs: ['services', 'endpointslices', 'secrets', 'ingressclasses'],
  describe(ingress, cluster) {
    const { defaultBackend } = ingress.spec
    const fields: readonly Field[] = [
      ['Address', address(ingress)],
      ['Ingress Class', className(ingress, cluster.ingressClasses ?? [])],
      [
        'Default backend',
        defaultBackend === undefined ? '<default>' : backendText(cluster, ingress, defaultBackend),
      ],
    ]
    const tls = tlsSection(cluster, ingress)
    return { fields, sections: [...(tls === undefined ? [] : [tls]), rulesSection(cluster, ingress)] }
  },
}

function address(ingress: Ingress): string {
  const given = addresses(ingress)
  return given.length > 0 ? given.join(',') : '<none> (no controller has assigned one)'
}

/** The addresses that its controller has written to the status. */
function addresses({ status }: Ingress): string[] {
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => ip ?? hostname ?? [])
}

function className(ingress: Ingress, classes: readonly IngressClass[]): string {
  const name = ingressClassName(ingress)
  if (name === undefined) return '<none> (no controller serves it)'
  const found = classes.find((one) => one.metadata.name === name)
  if (found === undefined) return `${name} (there is no such IngressClass: no controller serves it)`
  const how = ingress.spec.ingressClassName === undefined ? 'by annotation, ' : ''
  const taken = addresses(ingress).length > 0 ? '' : '; no controller of this lab serves it'
  return `${name} (${how}controller ${found.spec.controller}${taken})`
}

function tlsSection(cluster: Cluster, { metadata, spec }: Ingress): Section | undefined {
  if (spec.tls === undefined || spec.tls.length === 0) return undefined
  const rows = spec.tls.map(({ hosts = [], secretName = '' }) => [
    hosts.length === 0 ? '*' : hosts.join(','),
    secretName === ''
      ? "<none> (the controller's own certificate)"
      : secretText(cluster, metadata, secretName),
  ])
  return { heading: 'TLS', rows: [['Hosts', 'Secret'], ...rows] }
}

function secretText(cluster: Cluster, metadata: KubeObject['metadata'], name: string): string {
  const { problem } = tlsSecret(cluster, metadata.namespace ?? 'default', name)
  return problem === undefined ? name : `${name} (not used: ${problem})`
}

function rulesSection(cluster: Cluster, ingress: Ingress): Section {
  const rows = (ingress.spec.rules ?? []).flatMap(({ host = '', http }) =>
    (http?.paths ?? []).map(({ path = '', pathType = '', backend }, index) => [
      index > 0 ? '' : host === '' ? '*' : host,
      path === '' ? '/' : path,
      pathType,
      backendText(cluster, ingress, backend),
    ]),
  )
  return { heading: 'Rules', rows: [['Host', 'Path', 'Type', 'Backend'], ...rows] }
}

/** `web:80 (10.244.1.2:8080)`, or why no endpoint answers. */
function backendText(cluster: Cluster, { metadata }: Ingress, { service, resource }: IngressBackend): string {
  if (resource !== undefined)
    return `${resource.kind}/${resource.name} (not served: no controller supports it)`
  if (service === undefined) return '<none>'
  const { name, port } = service
  const wanted = port.name ?? port.number
  const { endpoints, problem } = serviceBackend(cluster, {
    namespace: metadata.namespace ?? 'default',
    name,
    port: wanted,
  })
  const state =
    problem === undefined
      ? endpoints.map(socketText).join(',') || 'no endpoint is ready'
      : `not served: ${problem}`
  return `${name}:${wanted} (${state})`
}
