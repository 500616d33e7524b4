import type { KubeObject, Protocol } from '../../cluster/types.js'
import type { AttachedObject } from './attachedObject.js'
import type { AttachedText } from './texts/model.js'

/** A row of a table of `kubectl get`, by the name of the column. */
type Row = Readonly<Record<string, string>>

interface Table {
  readonly columns: readonly { readonly name: string; readonly start: number }[]
}

/** What kinds of tables show; `columns` say which kind a table is of. */
const kinds: readonly {
  readonly kind: string
  readonly columns: readonly string[]
  readonly read: (row: Row, name: string, namespace: string | undefined) => object
  readonly hidden: (row: Row) => readonly string[]
}[] = [
  {
    kind: 'Service',
    columns: ['TYPE', 'CLUSTER-IP', 'PORT(S)'],
    read: serviceOf,
    hidden: ({ SELECTOR, LABELS }) => [
      ...[
        'spec.ports[].targetPort',
        'spec.ports[].name',
        'spec.externalTrafficPolicy',
        'spec.internalTrafficPolicy',
      ],
      ...['spec.sessionAffinity', 'spec.loadBalancerSourceRanges'],
      ...(SELECTOR === undefined ? ['spec.selector'] : []),
      ...(LABELS === undefined ? ['metadata.labels'] : []),
    ],
  },
  {
    kind: 'Endpoints',
    columns: ['ENDPOINTS'],
    read: endpointsOf,
    hidden: ({ ENDPOINTS = '' }) => [
      'subsets[].ports[].name',
      ...(/\+ \d+ more/.test(ENDPOINTS) ? ['subsets'] : []),
    ],
  },
  {
    kind: 'Pod',
    columns: ['READY', 'STATUS', 'RESTARTS'],
    read: podOf,
    hidden: ({ LABELS }) => [
      'spec.containers',
      'spec.hostNetwork',
      ...(LABELS === undefined ? ['metadata.labels'] : []),
    ],
  },
  {
    kind: 'Node',
    columns: ['STATUS', 'ROLES', 'VERSION'],
    read: nodeOf,
    hidden: () => ['spec.podCIDR', 'spec.podCIDRs'],
  },
]

/** The objects in tables of `kubectl get`; none if the text has no such table. */
export function tableObjects({ path, line, text, command = '' }: AttachedText): AttachedObject[] {
  const namespaceOfCommand = /(?:^| )(?:-n|--namespace)[ =](\S+)/.exec(command)?.[1]
  let table: Table | undefined
  return text.split('\n').flatMap((row, index): AttachedObject[] => {
    const header = headerOf(row)
    if (header !== undefined) table = header
    if (row.trim() === '') table = undefined
    if (header !== undefined || table === undefined) return []
    const cells = cellsOf(row, table)
    const { NAME = '' } = cells
    const kind = kinds.find(({ columns }) => columns.every((column) => column in cells))
    const name = NAME.replace(/^[a-z.]+\//, '')
    if (kind === undefined || !/^[a-z0-9][a-z0-9.-]*$/.test(name)) return []
    const namespace =
      kind.kind === 'Node' ? undefined : (cells['NAMESPACE'] ?? namespaceOfCommand ?? 'default')
    const labels = labelsOf(cells['LABELS'])
    const object = {
      ...{ apiVersion: 'v1', kind: kind.kind },
      metadata: { name, ...(namespace !== undefined && { namespace }), ...(labels && { labels }) },
      ...kind.read(cells, name, namespace),
    } as KubeObject
    return [
      { object, at: () => ({ file: path, line: line + index }), isListed: true, hidden: kind.hidden(cells) },
    ]
  })
}

function headerOf(row: string): Table | undefined {
  if (!/^(?:NAMESPACE +)?NAME +[A-Z]/.test(row)) return undefined
  const columns = [...row.matchAll(/[A-Z][A-Z()-]*(?: [A-Z][A-Z()-]*)*/g)].map(({ 0: name, index }) => ({
    name,
    start: index,
  }))
  return { columns }
}

/** Cells begin where the names of columns begin; two spaces end one at the latest. */
function cellsOf(row: string, { columns }: Table): Row {
  return Object.fromEntries(
    columns.map(({ name, start }, index) => [name, row.slice(start, columns[index + 1]?.start).trim()]),
  )
}

function serviceOf(row: Row): object {
  const {
    TYPE = 'ClusterIP',
    'CLUSTER-IP': clusterIP = '',
    'EXTERNAL-IP': external = '<none>',
    SELECTOR,
  } = row
  const addresses = isNone(external) || external === '<pending>' ? [] : external.split(',')
  const isBalanced = TYPE === 'LoadBalancer'
  const ports = (isNone(row['PORT(S)']) ? [] : (row['PORT(S)'] ?? '').split(',')).flatMap((text) => {
    const [, port, nodePort, protocol] = /^(\d+)(?::(\d+))?\/(TCP|UDP|SCTP)$/.exec(text) ?? []
    if (port === undefined) return []
    return [
      {
        port: Number(port),
        protocol: protocol as Protocol,
        ...(nodePort !== undefined && { nodePort: Number(nodePort) }),
      },
    ]
  })
  return {
    spec: {
      ...{ type: TYPE, ports },
      ...(TYPE === 'ExternalName' ? { externalName: external } : { clusterIP, clusterIPs: [clusterIP] }),
      ...(addresses.length > 0 && !isBalanced && TYPE !== 'ExternalName' && { externalIPs: addresses }),
      ...(SELECTOR !== undefined && !isNone(SELECTOR) && { selector: labelsOf(SELECTOR) }),
    },
    status: { loadBalancer: isBalanced && addresses.length > 0 ? { ingress: addresses.map(ingressOf) } : {} },
  }
}

function ingressOf(address: string) {
  return /^[\d.]+$|:/.test(address) ? { ip: address } : { hostname: address }
}

function endpointsOf({ ENDPOINTS = '' }: Row): object {
  if (isNone(ENDPOINTS)) return { subsets: [] }
  const sockets = ENDPOINTS.replace(/ \+ \d+ more.*$/, '').split(',')
  const subsets = sockets.flatMap((socket) => {
    const [, ip, port] = /^\[?([\da-fA-F.:]+?)\]?:(\d+)$/.exec(socket) ?? []
    return ip === undefined ? [] : [{ addresses: [{ ip }], ports: [{ port: Number(port) }] }]
  })
  return { subsets }
}

function podOf({ READY = '', STATUS = '', IP, NODE }: Row): object {
  const [ready, all] = READY.split('/').map(Number)
  const isReady = STATUS === 'Running' && ready === all && ready !== 0
  const phases: Readonly<Record<string, string>> = {
    Completed: 'Succeeded',
    Pending: 'Pending',
    Error: 'Failed',
    Evicted: 'Failed',
  }
  const hasAddress = IP !== undefined && !isNone(IP)
  return {
    spec: { containers: [], ...(NODE !== undefined && !isNone(NODE) && { nodeName: NODE }) },
    status: {
      phase: phases[STATUS] ?? 'Running',
      ...(hasAddress && { podIP: IP, podIPs: [{ ip: IP }] }),
      conditions: [
        { type: 'Ready', status: isReady ? 'True' : 'False', ...(isReady ? {} : { reason: STATUS }) },
      ],
    },
  }
}

function nodeOf({ STATUS = '', 'INTERNAL-IP': internal, 'EXTERNAL-IP': external, VERSION }: Row): object {
  const address = (type: string, text: string | undefined) =>
    text === undefined || isNone(text) ? [] : [{ type, address: text }]
  const isReady = STATUS.split(',').includes('Ready')
  return {
    spec: {},
    status: {
      addresses: [...address('InternalIP', internal), ...address('ExternalIP', external)],
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
      nodeInfo: { kubeletVersion: VERSION },
    },
  }
}

function labelsOf(text: string | undefined): Record<string, string> | undefined {
  if (text === undefined || isNone(text)) return undefined
  return Object.fromEntries(
    text.split(',').map((one) => [one.replace(/=.*/s, ''), one.replace(/^[^=]*=?/, '')]),
  )
}

function isNone(text: string | undefined): boolean {
  return text === undefined || text === '<none>' || text === ''
}
