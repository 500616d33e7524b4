import type { NodeSpec } from '../../cluster/nodes.js'
import type { KubeObject } from '../../cluster/types.js'
import { codeGroups, type Code } from '../../diagnose/codes/codes.js'
import { question, type Question } from '../../diagnose/question.js'
import { causesIn, whyRequest } from '../../diagnose/why/whyRequest.js'
import type { Finding, Why } from '../../diagnose/why/types.js'
import type { WrittenRequest } from '../../diagnose/writtenRequest.js'
import { InputError, isKnownError } from '../../errors.js'
import { defaultRanges } from '../../net/addressRanges.js'
import { addressText } from '../../net/socketText.js'
import type { LabModel, Snapshot } from '../../snapshot/model/snapshot.js'
import { predict } from '../../trace/predict.js'
import type { End } from '../../trace/model/steps.js'
import { anonymous } from './anonymous.js'
import { deltaDebug } from './deltaDebug.js'
import { kubeProxyOf, labOfSnapshot, rangesOf, type LabOfSnapshot } from './labOfSnapshot.js'
import { createPlanner, plainKubeProxy, type LabDraft } from './modelOf.js'
import { withoutParts } from './withoutParts.js'

/** The smallest lab in which a request fails as in a snapshot. */
export interface Reduced {
  readonly lab: LabOfSnapshot
  /** The cause that was kept. */
  readonly code: Code
  /** How many objects the lab had at first, and how many labs were predicted. */
  readonly before: number
  readonly predicted: number
  /** The name in the lab of each name in the snapshot; empty if the failure depends on names. */
  readonly renamed: ReadonlyMap<string, string>
}

/** Names of the ends of a request, by which it is asked in labs with other addresses. */
interface Ends {
  readonly from: string
  readonly to: string
}

/**
 * Leaves out of the lab of a snapshot what does not change why a request fails: objects, nodes, parts of objects, then addresses and
 * names. Throws InputError if nothing fails, or if it fails otherwise in the lab, whose rules are those that kube-proxy writes.
 */
export function reduceLab(snapshot: Snapshot, written: WrittenRequest): Reduced {
  const kept = failureOf(whyRequest(snapshot, written))
  if (kept === undefined)
    throw new InputError([
      { message: 'the request passes, or cannot be followed: there is no failure to keep' },
    ])
  const { model } = snapshot
  const plan = createPlanner(model)
  let predicted = 0
  const codeIn = (draft: LabDraft, ends: Ends): Code | undefined => {
    predicted++
    const asked = question(plan(draft), { ...written, ...ends })
    return failureOf(causesIn(asked, predict(asked.snapshot.state, asked.from, asked.packet)))?.code
  }
  const holds = (draft: LabDraft, ends: Ends): boolean => {
    try {
      return codeIn(draft, ends) === code
    } catch (error) {
      // a lab that is none, such as a pod without its node
      if (isKnownError(error)) return false
      throw error
    }
  }
  const { objects } = labOfSnapshot(snapshot)
  const ends = endsOf(question(snapshot, written))
  const whole = { objects, nodes: nodesOf(model), ranges: model.topology.ranges, kubeProxy: model.kubeProxy }
  // why a pod is not ready is not the same in a lab
  const code = codeIn(whole, ends)
  if (code === undefined || groupOf(code) !== groupOf(kept.code))
    throw new InputError([
      {
        message: `a lab of the objects ${code === undefined ? 'passes' : `fails by ${code}`}: the request fails by ${kept.code} in the snapshot`,
        hint: 'the cause is what nodes have beside what kube-proxy writes, such as rules and settings',
      },
    ])
  let draft: LabDraft = whole
  draft = { ...draft, objects: deltaDebug(draft.objects, (few) => holds({ ...draft, objects: few }, ends)) }
  draft = { ...draft, nodes: deltaDebug(draft.nodes, (few) => holds({ ...draft, nodes: few }, ends)) }
  draft.objects.forEach((object, index) => {
    const tried = (next: KubeObject) => ({ ...draft, objects: draft.objects.with(index, next) })
    draft = tried(withoutParts(object, (next) => holds(tried(next), ends)))
  })
  draft = { ...draft, nodes: deltaDebug(draft.nodes, (few) => holds({ ...draft, nodes: few }, ends)) }
  const plain = {
    ...draft,
    ranges: { ...defaultRanges, nodePorts: draft.ranges.nodePorts },
    kubeProxy: plainKubeProxy(draft.kubeProxy, model.topology.families),
  }
  if (holds(plain, ends)) draft = plain
  const unnamed = withoutNames(draft, ends)
  const isSame = holds(unnamed.draft, unnamed.ends)
  const end = isSame ? unnamed : { draft, ends, renamed: new Map<string, string>() }
  return {
    lab: labOf(end.draft, end.ends, written, kept.end, model),
    code,
    before: objects.length,
    predicted,
    renamed: end.renamed,
  }
}

/** The cause of a request that fails, and how it ends; undefined if it does not certainly fail. */
function failureOf({ outcome, findings }: Why): Finding | undefined {
  return outcome === 'passes' || outcome === 'unknown' ? undefined : findings[0]
}

function nodesOf({ cluster }: LabModel): NodeSpec[] {
  return cluster.nodes.map(({ metadata }) => ({ name: metadata.name, labels: {} }))
}

/** Sender and receiver by name, so that their addresses may change; an address that nothing has stays as it is. */
function endsOf({ snapshot, from, packet }: Question): Ends {
  const { names, topology } = snapshot.model
  const place = topology.places.find(({ netns }) => netns === from)
  const sender = names.all.find(
    ({ kind, name, namespace }) =>
      kind === place?.kind && name === place.name && namespace === place.namespace,
  )
  const { address, port } = packet.destination
  const named = names.at(address)
  const host = named?.addresses[0] === address ? `{${named.label}}` : addressText(address)
  return { from: sender?.label ?? from, to: port === undefined ? host : `${host}:${port.first}` }
}

function withoutNames(draft: LabDraft, ends: Ends) {
  const nodes = new Map(draft.nodes.map(({ name }, index) => [name, `node-${letter(index)}`]))
  const { objects, renamed } = anonymous(draft.objects, nodes)
  const renamedPath = (text: string) =>
    text
      .split('/')
      .map((part) => renamed.get(part) ?? part)
      .join('/')
  return {
    draft: { ...draft, objects, nodes: draft.nodes.map((one) => ({ ...one, name: renamedPath(one.name) })) },
    ends: {
      from: renamedPath(ends.from),
      to: ends.to.replace(/\{(.*)\}/, (_, label: string) => `{${renamedPath(label)}}`),
    },
    renamed,
  }
}

function groupOf(code: Code): string | undefined {
  return codeGroups.find(({ codes }) => codes.includes(code))?.heading
}

/** What the caller sees of the end; nothing for an error of HTTP. */
function expected({ caller }: End): object {
  const way = caller === 'connection refused' ? 'refused' : caller
  return way === 'answer' || way === 'unknown' ? {} : { expect: { fails: way } }
}

function letter(index: number): string {
  return index < 26 ? String.fromCharCode(97 + index) : String(index)
}

function labOf(
  { objects, nodes, ranges, kubeProxy }: LabDraft,
  { from, to }: Ends,
  { to: asked, protocol }: WrittenRequest,
  end: End,
  { topology: { families }, lab: { clients } }: LabModel,
): LabOfSnapshot {
  const [, host = to, port] = /^(.*):(\d+)$/.exec(to) ?? []
  const action =
    protocol === 'icmp'
      ? { ping: to }
      : /^https?:/i.test(asked)
        ? { curl: `${asked.split(':')[0]}://${to}/` }
        : { nc: { host, port: Number(port), ...(protocol === 'udp' ? { udp: true, send: 'hello' } : {}) } }
  const isPlain = ranges.services === defaultRanges.services
  return {
    lab: {
      title: 'A request that fails',
      topology: {
        nodes: nodes.map(({ name }) => name),
        clients: clients
          .filter(({ name }) => name === from)
          .map(({ name, addresses }) => ({ name, addresses })),
        ...(families.join() === 'IPv4' ? {} : { families }),
        ...(isPlain ? {} : rangesOf(ranges, families)),
      },
      ...kubeProxyOf({ kubeProxy }),
      steps: [{ name: 'The request', from, ...action, ...expected(end) }],
    },
    objects,
    notices: [],
  }
}
