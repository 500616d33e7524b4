import * as z from 'zod'
import type { Commands, Secret } from '../../cluster/types.js'
import { parseDocuments } from '../../cluster/yaml/documents.js'
import { InputError } from '../../errors.js'
import { placesOf, stateOfPlaces, type SavedPlace } from './placesOf.js'
import { fabricPlace } from '../model/state.js'
import { modeNames } from '../../agents/kubeProxy/config.js'
import type { Snapshot } from '../model/snapshot.js'
import { receivedModel, sentModel, type SentModel } from './sentModel.js'

/** The version of the file: it changes if a field changes its meaning or is removed. */
const version = 1

/** A snapshot as the text of a file, which docs/snapshot.md describes. The values of Secrets are left out. */
export function snapshotText({ basis, model, state, notices }: Snapshot): string {
  const { lab, cluster, ...sent } = sentModel(model)
  const { secrets = [], ...objects } = cluster
  const file = {
    version,
    basis,
    notices,
    lab,
    ...sent,
    cluster: { ...objects, secrets: secrets.map(withoutValues) },
    places: placesOf(state),
  }
  return `${JSON.stringify(file, undefined, 1)}\n`
}

/** The certificate of a TLS Secret is public; all other values are secret, and annotations may repeat them. */
function withoutValues({ apiVersion, kind, metadata, type, data = {} }: Secret): Secret {
  const { annotations: _annotations, managedFields: _fields, ...named } = metadata
  const isPublic = (key: string) => type === 'kubernetes.io/tls' && key === 'tls.crt'
  const shown = Object.entries(data).map(([key, value]) => [key, isPublic(key) ? value : ''])
  const values = Object.fromEntries(shown) as NonNullable<Secret['data']>
  return { apiVersion, kind, metadata: named, ...(type !== undefined && { type }), data: values }
}

const list = z.array(z.looseObject({}))
const text = z.string()
const placeList = z.array(
  z.looseObject({ netns: text, name: text, interfaces: z.array(z.tuple([z.number(), text])) }),
)
const rules = z.array(z.looseObject({ spec: text }))
const chains = z.record(text, z.looseObject({ rules }))

const place = z.looseObject({
  network: z.looseObject({
    links: z.array(z.looseObject({ name: text, type: z.looseObject({ kind: text }) })),
    devices: z.array(z.looseObject({ name: text, addresses: list })),
    ports: list,
    neighbours: list,
    routes: z.array(z.looseObject({ to: text, device: text })),
    forwarding: list,
  }),
  ...{ policies: list.optional(), announced: list.optional(), listeners: list },
  ...{ connections: list.optional(), unread: list.optional(), virtualServers: list.optional() },
  sysctls: z.record(text, z.union([text, z.number()])),
  iptables: z.record(text, z.record(text, chains)),
  nftables: z.looseObject({
    order: z.array(text),
    tables: z.array(
      z.looseObject({
        ...{ family: text, name: text, chains },
        sets: z.record(text, z.looseObject({ elements: list, meanings: z.record(text, z.unknown()) })),
      }),
    ),
  }),
  ipsets: z.record(text, z.looseObject({ type: text, entries: z.array(text) })).optional(),
  recent: z.record(text, z.array(text)).optional(),
})

const schema = z.looseObject({
  version: z.literal(version, `is not ${version}, the version that this vethlab reads`),
  basis: z.enum(['plan', 'kernel', 'attached']),
  notices: z.array(text),
  lab: z.looseObject({ name: text, title: text, clients: list, ingress: list, images: z.looseObject({}) }),
  options: z.looseObject({
    nodes: list,
    ranges: z.looseObject({}),
    families: z.array(z.enum(['IPv4', 'IPv6'])),
  }),
  kubeProxy: z.union([
    z.looseObject({ kind: z.literal('none') }),
    z.looseObject({
      kind: z.enum(['built-in', 'binary']),
      mode: z.enum(modeNames),
      config: z.looseObject({}),
    }),
  ]),
  abilities: z.looseObject({ nfacct: z.boolean() }),
  cluster: z.looseObject({ nodes: list, namespaces: list, pods: list, services: list, endpointSlices: list }),
  topology: z.looseObject({ nodes: placeList, clients: placeList, pods: placeList, places: placeList }),
  places: z.record(text, place),
})

/** Reads the text of a file; `exists` says which programs containers have here. Throws InputError with the position of what is wrong. */
export function readSnapshotText(file: string, content: string, exists: Commands['exists']): Snapshot {
  const { documents, problems } = parseDocuments(file, content, Infinity)
  if (problems.length > 0) throw new InputError(problems)
  const [document, second] = documents
  const hint = '`vethlab snapshot LAB -o FILE` writes one'
  if (document === undefined || second !== undefined)
    throw new InputError([{ message: `${file} is not a snapshot of vethlab`, hint }])
  const { success, error } = schema.safeParse(document.value)
  if (!success)
    throw new InputError(
      error.issues.slice(0, 5).map(({ path, message }) => ({
        message: `this snapshot is not valid: ${path.join('.')}: ${message}`,
        at: document.at(path.map((key) => (typeof key === 'number' ? key : String(key)))),
        hint,
      })),
    )
  const { basis, notices, places, ...model } = document.value as unknown as SentModel & {
    readonly basis: Snapshot['basis']
    readonly notices: readonly string[]
    readonly places: Readonly<Record<string, SavedPlace>>
  }
  const { nodes, clients, pods } = model.topology
  const missing = [fabricPlace, ...[...nodes, ...clients, ...pods].map(({ netns }) => netns)].find(
    (name) => !Object.hasOwn(places, name),
  )
  if (missing !== undefined)
    throw new InputError([
      { message: `this snapshot is not valid: places lacks ${missing}`, at: document.at(['places']), hint },
    ])
  try {
    return { basis, notices, model: receivedModel(model, exists), state: stateOfPlaces(places) }
  } catch {
    // the schema does not look into all fields
    const message = 'this snapshot is not valid: an object, place or rule of it is not complete'
    throw new InputError([{ message, at: document.at([]), hint }])
  }
}
