import { Command } from 'commander'
import { InputError } from '../../errors.js'
import { openCaptureOutput } from '../../host/capture/captureFile.js'
import { requireTools } from '../../host/environment.js'
import { captureFrames, captureText, type LiveCapture } from '../../host/capture/liveCapture.js'
import { joinSandbox } from '../../host/sandbox/sandbox.js'
import { namesOf, placeKinds } from '../../names/names.js'
import { copiedInterfaces, linksOf, type LinkedPlace } from '../../lab/pcap/links.js'
import { liveComments, type LiveComments } from '../../lab/pcap/liveComments.js'
import { pcapngWriter } from '../../packets/pcapng.js'
import { linkTypes, linkReader } from '../../packets/linkLayer.js'
import { packetReader } from '../../packets/pcap.js'
import type { UpLab } from '../../up/upLab.js'
import { followLab } from '../kubectl/followLab.js'
import { positiveNumber } from '../options.js'
import { print, printError } from '../output.js'
import { mergeByTime, type Merge } from '../../packets/mergeByTime.js'

interface CaptureFlags {
  readonly write?: string
  readonly count?: number
  readonly allInterfaces?: boolean
}

const help = `
PLACES are nodes, pods and clients with a comma, selectors of pods (app=web), or all. FILTER is that of tcpdump. Ctrl-C
ends it. Packets of all places are merged in the order of time.
Packets of a bridge, and of the node's end of the link of a pod that is captured too, are left out: the pod's end shows
them.

Examples:
  $ vethlab capture nodeport node-a,client
  $ vethlab capture nodeport all tcp port 80 or port 30080
  $ vethlab capture nodeport all -w nodeport.pcapng
  $ vethlab capture nodeport all -w - | wireshark -k -i -`

/** `vethlab capture <lab> <places> [filter]`. */
export function captureCommand(): Command {
  return new Command('capture')
    .description('Prints a line for each packet, or writes a pcapng file for Wireshark.')
    .argument('<lab>', 'name of a running lab')
    .argument('<places>', 'nodes, pods and clients, with a comma; or all')
    .argument('[filter...]', 'which packets: tcp port 80 (pcap-filter(7))')
    .option('-w, --write <file>', 'write a pcapng file; - for standard output')
    .option('-c, --count <n>', 'end after this many packets', positiveNumber)
    .option('--all-interfaces', "also packets of bridges and of the nodes' ends of the links of pods")
    .addHelpText('after', help)
    .action(async (name: string, places: string, filter: string[], flags: CaptureFlags) => {
      requireTools(['tcpdump'])
      await followLab(name, (lab, signal) =>
        capture(lab, placesNamed(lab, places), filter.join(' '), flags, signal),
      )
    })
}

/** Packets are written this long after they were captured, in milliseconds: other places may report earlier ones. */
const mergeMs = 300

async function capture(
  lab: UpLab,
  places: readonly LinkedPlace[],
  filter: string,
  flags: CaptureFlags,
  signal: AbortSignal,
): Promise<void> {
  const output = flags.write === undefined ? undefined : openCaptureOutput(flags.write)
  let left = flags.count ?? Infinity
  const running: LiveCapture[] = []
  const stop = () => running.forEach((one) => one.stop())
  const counted = (write: () => void) => {
    if (left === 0) return
    left -= 1
    write()
    if (left === 0) stop()
  }
  const merge = mergeByTime(counted)
  const linkOf = linksOf(places, flags.allInterfaces === true)
  const comments = liveComments(places)
  const sandbox = joinSandbox(lab.pid, lab.rootless)
  const start =
    output === undefined
      ? textWriter(merge, linkOf)
      : frameWriter(merge, linkOf, places, comments, output.write)
  for (const place of places) running.push(start(sandbox, place, filter))
  signal.addEventListener('abort', stop)
  const release = (seconds: number) => {
    comments.join(seconds)
    merge.release(seconds * 1e6)
  }
  const timer = setInterval(() => release((Date.now() - mergeMs) / 1000), mergeMs / 3)
  try {
    await Promise.all(running.map(({ started }) => started))
    printError(`Capturing on ${places.map(({ netns }) => netns).join(', ')}\n`)
    if (signal.aborted) stop()
    await Promise.all(running.map(({ ended }) => ended))
    release(Infinity)
  } finally {
    stop()
    clearInterval(timer)
    await output?.end()
  }
}

type StartOne = (sandbox: ReturnType<typeof joinSandbox>, place: LinkedPlace, filter: string) => LiveCapture

function textWriter(merge: Merge<() => void>, linkOf: ReturnType<typeof linksOf>): StartOne {
  return (sandbox, place, filter) => {
    const { netns } = place
    const options = { netns, filter, without: copiedInterfaces(place, linkOf) }
    return captureText(sandbox, options, (seconds, text) => {
      const microseconds = Math.round(seconds * 1e6)
      const time = new Date(microseconds / 1000).toISOString().slice(11, 19)
      const fraction = String(microseconds % 1e6).padStart(6, '0')
      merge.add(microseconds, () => print(`${time}.${fraction}  ${netns}  ${text}\n`))
    })
  }
}

function frameWriter(
  merge: Merge<() => void>,
  linkOf: ReturnType<typeof linksOf>,
  places: readonly LinkedPlace[],
  comments: LiveComments,
  write: (block: Buffer) => void,
): StartOne {
  const linkType = linkTypes.LINUX_SLL2
  const readLink = linkReader(linkType)
  const writer = pcapngWriter(write)
  // Wireshark reads the interfaces when it opens a pipe
  for (const place of places)
    for (const index of place.interfaces.keys()) {
      const link = linkOf(place, index)
      if (link !== undefined) writer.declare({ ...link, linkType })
    }
  return (sandbox, place, filter) =>
    // the packets of bridges too: the rewrites of a node are found between what enters and what leaves it
    captureFrames(sandbox, { netns: place.netns, filter, without: [] }, (bytes, record, file) => {
      const { seconds, fraction, start, end, originalLength } = record
      const packet = packetReader(bytes, file)(record)
      if (packet !== undefined) comments.add(place.netns, packet)
      const header = readLink?.(bytes, start, end)
      const link = header && linkOf(place, header.interfaceIndex)
      if (link === undefined) return
      const microseconds = seconds * 1e6 + Math.round(fraction * file.tick * 1e6)
      const direction = header?.type === 'outgoing' ? 'out' : 'in'
      const frame = bytes.subarray(start, end)
      merge.add(microseconds, () => {
        const comment = packet && comments.commentOf(packet)
        writer.packet({ ...link, linkType }, { microseconds, frame, originalLength, direction, comment })
      })
    })
}

/** The places that a list names, one per network namespace; throws InputError. */
function placesNamed({ view, places }: UpLab, list: string): LinkedPlace[] {
  const names = namesOf(view)
  const wanted = list.split(',').flatMap((reference) => {
    if (reference === 'all') return places
    const looked = names.lookup(reference, placeKinds)
    if (!('found' in looked)) throw new InputError([{ message: looked.problem, hint: looked.hint }])
    return looked.found.flatMap(({ kind, name, namespace }) =>
      places.filter((place) => place.kind === kind && place.name === name && place.namespace === namespace),
    )
  })
  // a pod on the host's network is in the namespace of its node, which comes first
  const byNetns = new Map(wanted.toReversed().map((place) => [place.netns, place]))
  const found = places.filter((place) => byNetns.get(place.netns) === place)
  if (found.length === 0) throw new InputError([{ message: `"${list}" has no network namespace` }])
  return found.map((place) => ({ ...place, interfaces: new Map(place.interfaces) }))
}
