import { closeSync } from 'node:fs'
import { CommandError } from '../../errors.js'
import type { Capture } from '../../packets/types.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { endGroup, hung, longestCommandMs } from '../sandbox/toolFailure.js'
import { createCounts, type CaptureCounts } from './captureCounts.js'
import { createFileReader } from './captureReader.js'
import { roomOptions } from './roomOptions.js'
import { stderrLines } from './stderrLines.js'

/**
 * What a flow is made of: how TCP connections begin and end (SYN, FIN, RST), and all that is not TCP. What they carry in
 * between would be five times as much to write and read. `tcp[13]` reads IPv4 headers only (pcap-filter(7)).
 */
const flowFilter =
  '(ip and (not tcp or tcp[13] & 7 != 0)) or (ip6 and (not tcp or (ip6[6] = 6 and ip6[53] & 7 != 0)))'

/** At a proxy also what is sent with the PSH flag: each request begins in such a segment. */
const requestFilter = flowFilter.replaceAll('& 7 !=', '& 15 !=')

const filters = { headers: flowFilter, requests: requestFilter, whole: 'ip or ip6' }

/**
 * What loopback sends out it also takes in: on the way out libpcap passes it over, though the kernel has counted it.
 * Left out by the filter, what was received and what was captured stay comparable.
 */
const onceOnLoopback = 'not (outbound and ifindex 1)'

export interface CapturePlace {
  readonly netns: string
  /** Name of its file without the ending; that of the namespace by default. */
  readonly file?: string | undefined
  readonly interfaces: ReadonlyMap<number, string>
}

/** What a capture needs of a sandbox. */
export interface CapturingSandbox extends Pick<Sandbox, 'start'> {
  readonly inside: Pick<Sandbox['inside'], 'open'>
}

/** A tcpdump on all interfaces of one namespace. */
export interface RunningCapture {
  readonly netns: string
  /** Pid of tcpdump on the host. */
  readonly pid: number
  /** What was captured since the last call; every packet that the namespace saw before the call is in it. */
  take(): Promise<Capture>
  /** Ends it, if it still runs. The kernel is busy for a while with closing its socket, which need not be waited for. */
  end(): void
  /** The whole capture so far, as a classic pcap file. */
  bytes(): Promise<Buffer>
}

/** Starts tcpdump in a namespace and resolves once it listens. */
export async function startCapture(
  sandbox: CapturingSandbox,
  place: CapturePlace,
  keep: keyof typeof roomOptions = 'headers',
): Promise<RunningCapture> {
  const path = `/run/vethlab/pcap/${place.file ?? place.netns}.pcap`
  const argv = [
    ...['tcpdump', '-i', 'any', '-y', 'LINUX_SLL2', '-n', '--immediate-mode', '-U', '-Z', 'root'],
    ...[...roomOptions[keep], '-w', path],
    `(${filters[keep]}) and ${onceOnLoopback}`,
  ]
  const command = sandbox.start(argv, { netns: place.netns, asUser: true, stdout: 'ignore' })
  const said = stderrLines(command.process)
  const failed = async (): Promise<never> => {
    throw failure({ exitCode: (await command.process).exitCode })
  }
  const failure = (how: { exitCode?: number | undefined; outcome?: string }) =>
    new CommandError({ what: 'capturing packets', argv, netns: place.netns, ...how, stderr: said.text() })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    endGroup(command.process.pid)
  }, longestCommandMs)
  try {
    await said.next(
      (line) => line.includes('listening on'),
      () => (isLate ? Promise.reject(hung(argv, place)) : failed()),
    )
  } finally {
    clearTimeout(timer)
  }
  const pid = command.pid()
  if (pid === undefined) return failed()
  const file = sandbox.inside.open(path, 'read')
  const reader = createFileReader(file)
  const counts = createCounts({ pid, said, ended: failed })
  await counts.settle()
  let runs = true
  void command.process.then(() => {
    runs = false
    closeSync(file)
  })
  /** Waits for all packets that were received until now. Throws CommandError if some were lost. */
  const complete = async (): Promise<CaptureCounts> => {
    const outcome = await counts.complete()
    if (typeof outcome === 'string') throw failure({ outcome })
    return outcome
  }
  return {
    netns: place.netns,
    pid,
    async take() {
      const { captured } = await complete()
      const packets = await reader.take(captured)
      if (typeof packets === 'string') throw failure({ outcome: packets })
      return { netns: place.netns, packets, interfaces: place.interfaces }
    },
    end() {
      try {
        if (runs) process.kill(pid, 'SIGKILL')
      } catch {
        // it has just ended
      }
    },
    async bytes() {
      await complete()
      return reader.whole()
    },
  }
}
