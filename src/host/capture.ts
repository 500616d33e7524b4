import { closeSync, fstatSync, readSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { CommandError } from '../errors.js'
import { parsePcap } from '../packets/pcap.js'
import type { Capture } from '../packets/types.js'
import type { RunningCommand, Sandbox } from './sandbox/sandbox.js'
import { endGroup, hung, longestCommandMs } from './sandbox/toolFailure.js'

/** Bytes kept of a packet: headers and the start of the payload; all of it when the capture is to be kept. */
const snapLength = { headers: 256, requests: 2048, whole: 9000 }

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

/** Longest time for a capture to start or to write its packets. */
const patienceMs = 30_000

/**
 * This many equal answers, at this interval, mean that no more packets are pending: at the start, when some are never
 * captured, and later, when only a processor that the host takes away for a while can hold one back.
 */
const sameAnswers = { starting: 25, running: 1000 }
const askAgainMs = 2

/** A pcap file starts with a header of 24 bytes. */
const fileHeaderBytes = 24

export interface CapturePlace {
  readonly netns: string
  /** Name of its file without the ending; that of the namespace by default. */
  readonly file?: string | undefined
  readonly interfaces: ReadonlyMap<number, string>
}

/** A tcpdump on all interfaces of one namespace. */
export interface RunningCapture {
  readonly netns: string
  /** Pid of tcpdump on the host. */
  readonly pid: number
  /**
   * What was captured since the last call; every packet that the namespace saw before the call is in it. With `last` the
   * capture ends: closing its socket keeps the kernel busy for a while, which need not be waited for later.
   */
  take(last?: boolean): Promise<Capture>
  /** The whole capture so far, as a classic pcap file. */
  bytes(): Promise<Buffer>
}

/** Starts tcpdump in a namespace and resolves once it listens. */
export async function startCapture(
  sandbox: Sandbox,
  place: CapturePlace,
  keep: keyof typeof snapLength = 'headers',
): Promise<RunningCapture> {
  const path = `/run/vethlab/pcap/${place.file ?? place.netns}.pcap`
  const argv = [
    ...['tcpdump', '-i', 'any', '-y', 'LINUX_SLL2', '-n', '--immediate-mode', '-U', '-Z', 'root'],
    ...['-s', String(snapLength[keep]), '-B', '4096', '-w', path],
    `(${filters[keep]}) and ${onceOnLoopback}`,
  ]
  const command = sandbox.start(argv, { netns: place.netns, asUser: true, stdout: 'ignore' })
  const said = lines(command)
  const failed = async (): Promise<never> => {
    throw new CommandError({
      what: 'capturing packets',
      argv,
      netns: place.netns,
      exitCode: (await command.process).exitCode,
      stderr: said.text(),
    })
  }
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
  let offset = fileHeaderBytes
  const drain = createDrain(pid, said, failed)
  await drain('starting')
  void command.process.then(() => closeSync(file))
  return {
    netns: place.netns,
    pid,
    async take(last = false) {
      await drain()
      const { size } = fstatSync(file)
      const data = Buffer.alloc(fileHeaderBytes + Math.max(0, size - offset))
      // a file in memory: asking the thread pool would cost more than the read
      readSync(file, data, 0, fileHeaderBytes, 0)
      readSync(file, data, fileHeaderBytes, size - offset, offset)
      offset = size
      if (last) process.kill(pid, 'SIGKILL')
      return { netns: place.netns, packets: parsePcap(data).packets, interfaces: place.interfaces }
    },
    async bytes() {
      await drain()
      const data = Buffer.alloc(fstatSync(file).size)
      readSync(file, data, 0, data.length, 0)
      return data
    },
  }
}

/**
 * Waits until tcpdump has written all packets that its socket received: on SIGUSR1 it prints both counts (tcpdump(1)), so
 * no fixed delay or marker packet is needed. Packets that arrive while libpcap installs the filter are received but never
 * captured: a difference that stays constant over many answers is ignored from then on.
 */
function createDrain(
  pid: number,
  said: Lines,
  failed: () => Promise<never>,
): (when?: keyof typeof sameAnswers) => Promise<void> {
  let missing = 0
  return async (when = 'running') => {
    const deadline = performance.now() + patienceMs
    let same = 0
    let last = ''
    while (performance.now() < deadline) {
      const answer = said.next((line) => countsOf(line) !== undefined, failed)
      ask(pid)
      const line = await answer
      const { captured, received, dropped } = countsOf(line) ?? { captured: 0, received: 0, dropped: 0 }
      // packets that were captured late are no longer missing
      missing = Math.min(missing, Math.max(0, received - captured - dropped))
      if (captured + dropped + missing >= received) return
      same = line === last ? same + 1 : 0
      last = line
      if (same >= sameAnswers[when]) {
        missing = received - captured - dropped
        return
      }
      await delay(askAgainMs)
    }
    await failed()
  }
}

/** Requests the counts; the end of tcpdump is reported elsewhere. */
function ask(pid: number): void {
  try {
    process.kill(pid, 'SIGUSR1')
  } catch {
    return
  }
}

function countsOf(line: string): { captured: number; received: number; dropped: number } | undefined {
  const match = /(\d+) packets? captured, (\d+) packets? received by filter, (\d+) packets? dropped/.exec(
    line,
  )
  if (match === null) return undefined
  return { captured: Number(match[1]), received: Number(match[2]), dropped: Number(match[3]) }
}

interface Lines {
  next(wanted: (line: string) => boolean, ended: () => Promise<never>): Promise<string>
  text(): string
}

/** Lines of a command's standard error; `next` resolves with the next wanted one. */
function lines(command: RunningCommand): Lines {
  let rest = ''
  let all = ''
  let waiting: { wanted: (line: string) => boolean; found: (line: string) => void } | undefined
  command.process.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    all += chunk
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) {
      if (waiting?.wanted(line) !== true) continue
      const { found } = waiting
      waiting = undefined
      found(line)
    }
  })
  const end = command.process.then(() => undefined)
  return {
    text: () => all,
    async next(wanted, ended) {
      const line = new Promise<string>((resolve) => (waiting = { wanted, found: resolve }))
      return (await Promise.race([line, end])) ?? ended()
    },
  }
}
