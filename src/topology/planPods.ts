import type { PodPlace, Topology } from './layOut.js'
import { bridgePort, podLines, podPair } from './planLinks.js'
import { planPodSysctls } from './planSysctls.js'
import type { SandboxFile, Stage } from './types.js'

const folder = '/run/vethlab/ip/pods'

/** The group of links that are about to go; nothing else of a lab is in a group. */
const goneGroup = 1

/**
 * Puts pods into a lab that stands: namespaces, then veth pairs, then addresses on both sides. `turn` tells the files of
 * one change from those of the next.
 */
export function planNewPods(pods: readonly PodPlace[], topology: Topology, turn: number): Stage[] {
  const own = `${folder}/${turn}`
  const nodes = topology.nodes.filter(({ name }) => pods.some(({ node }) => node === name))
  const batches: SandboxFile[] = [
    ...pods.map((pod) => file(`${own}/${pod.netns}`, podLines(pod, topology))),
    ...nodes.map(({ name, netns }) =>
      file(`${own}/${netns}`, pods.filter(({ node }) => node === name).flatMap(bridgePort)),
    ),
  ]
  return [
    oneBatch('network namespaces of new pods', `${own}.namespaces`, pods.map(addNamespace)),
    planPodSysctls(pods, topology.families),
    oneBatch(
      'veth pairs of new pods',
      `${own}.links`,
      pods.map((pod) => podPair(pod, topology)),
    ),
    {
      title: 'addresses of new pods',
      files: batches,
      commands: [
        {
          argv: ['nsenter', '--net=/run/netns/{}', 'ip', '-batch', `${own}/{}`],
          each: [...pods, ...nodes].map(({ netns }) => netns),
        },
      ],
    },
  ]
}

/** Takes pods out of a lab that stands: a namespace without its name lives on in whatever process is still in it. */
export function planGonePods(pods: readonly PodPlace[], topology: Topology, turn: number): Stage[] {
  const netnsOf = (node: string) => topology.nodes.find(({ name }) => name === node)?.netns ?? node
  const nodes = [...new Set(pods.map(({ node }) => node))]
  const names = pods.map(({ netns }) => `netns del ${netns}`)
  return [
    {
      title: 'veth pairs of pods that went',
      files: nodes.map((node) =>
        file(
          `${folder}/${turn}.gone/${netnsOf(node)}`,
          deletedTogether(pods.filter((pod) => pod.node === node)),
        ),
      ),
      commands: [
        {
          argv: ['nsenter', '--net=/run/netns/{}', 'ip', '-batch', `${folder}/${turn}.gone/{}`],
          each: nodes.map(netnsOf),
        },
      ],
    },
    oneBatch('network namespaces of pods that went', `${folder}/${turn}.gone.namespaces`, names),
  ]
}

/** The kernel waits for its readers once per deletion: fifty links in one take as long as one, 16 ms instead of 820. */
function deletedTogether(pods: readonly PodPlace[]): string[] {
  return [...pods.map(({ veth }) => `link set ${veth} group ${goneGroup}`), `link del group ${goneGroup}`]
}

function addNamespace({ netns }: PodPlace): string {
  return `netns add ${netns}`
}

function oneBatch(title: string, path: string, lines: readonly string[]): Stage {
  return { title, files: [file(path, lines)], commands: [{ argv: ['ip', '-batch', path] }] }
}

function file(path: string, lines: readonly string[]): SandboxFile {
  return { path, text: lines.map((line) => `${line}\n`).join('') }
}
