import { CommandError, InputError } from '../../errors.js'
import { readPcap, type PcapFile, type PcapRecord } from '../../packets/pcapRecords.js'
import type { RunningCommand, Sandbox } from '../sandbox/sandbox.js'
import { roomOptions } from './roomOptions.js'
import { endGroup, hung, longestCommandMs } from '../sandbox/toolFailure.js'

/** Length of the header of a classic pcap file. */
const fileHeaderBytes = 24

/** Where and what to capture. */
export interface LiveCaptureOptions {
  readonly netns: string
  /** A filter of pcap-filter(7); empty for all packets. */
  readonly filter: string
  /** Indexes of interfaces whose packets are those of others. */
  readonly without: readonly number[]
}

/** A tcpdump that reports packets as they are captured. */
export interface LiveCapture {
  /** Resolves when it captures. Rejects with InputError for an invalid filter, and with CommandError and CannotRunError. */
  readonly started: Promise<void>
  readonly ended: Promise<void>
  stop(): void
}

/** Reports frames: the bytes that `record` refers to, and the format of the file. */
export type OnFrame = (bytes: Buffer, record: PcapRecord, file: PcapFile) => void

/** Captures whole frames in a namespace. */
export function captureFrames(
  sandbox: Pick<Sandbox, 'start'>,
  options: LiveCaptureOptions,
  onFrame: OnFrame,
): LiveCapture {
  let bytes = Buffer.alloc(0)
  return tcpdump(sandbox, options, ['-U', '-y', 'LINUX_SLL2', '-w', '-'], (chunk) => {
    bytes = Buffer.concat([bytes, chunk])
    if (bytes.length < fileHeaderBytes) return
    const file = readPcap(bytes)
    let end = fileHeaderBytes
    file.each((record) => {
      onFrame(bytes, record, file)
      end = record.end
    })
    bytes = Buffer.concat([bytes.subarray(0, fileHeaderBytes), bytes.subarray(end)])
  })
}

/** Captures packets in a namespace, and reports each as tcpdump describes it: a time in seconds, and one line. */
export function captureText(
  sandbox: Pick<Sandbox, 'start'>,
  options: LiveCaptureOptions,
  onPacket: (seconds: number, text: string) => void,
): LiveCapture {
  let rest = ''
  return tcpdump(sandbox, options, ['-l', '-tt'], (chunk) => {
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [, time, text] = /^(\d+\.\d+) +(.*)$/.exec(line) ?? []
      if (time !== undefined && text !== undefined) onPacket(Number(time), text)
    }
  })
}

function tcpdump(
  sandbox: Pick<Sandbox, 'start'>,
  { netns, filter, without }: LiveCaptureOptions,
  format: readonly string[],
  onOutput: (chunk: Buffer) => void,
): LiveCapture {
  // what loopback sends it also receives
  const excluded = ['not (outbound and ifindex 1)', ...without.map((index) => `not ifindex ${index}`)]
  const expression = [...(filter === '' ? [] : [`(${filter})`]), ...excluded].join(' and ')
  const argv = [
    ...['tcpdump', '-i', 'any', '-n', '--immediate-mode', '-Z', 'root'],
    ...[...roomOptions.whole, ...format, expression],
  ]
  const command = sandbox.start(argv, { netns, asUser: true })
  command.process.stdout?.on('data', onOutput)
  const ended = command.process.then(() => undefined)
  return {
    started: listening(command, argv, { netns, filter }),
    ended,
    stop: () => endGroup(command.process.pid),
  }
}

async function listening(
  { process }: RunningCommand,
  argv: readonly string[],
  { netns, filter }: Pick<LiveCaptureOptions, 'netns' | 'filter'>,
): Promise<void> {
  let stderr = ''
  const listens = new Promise<true>((resolve) => {
    process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
      if (stderr.includes('listening on')) resolve(true)
    })
  })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    endGroup(process.pid)
  }, longestCommandMs)
  const ended = await Promise.race([listens, process])
  clearTimeout(timer)
  if (ended === true) return
  if (isLate) throw hung(argv, { netns })
  const problem =
    /can't parse filter expression: (.*)/.exec(stderr)?.[1] ?? /^tcpdump: (.*)/m.exec(stderr)?.[1]
  if (ended.exitCode === 1 && filter !== '' && problem !== undefined)
    throw new InputError([{ message: `"${filter}" is not a filter: ${problem}`, hint: 'see pcap-filter(7)' }])
  const { exitCode, signal } = ended
  throw new CommandError({ what: 'capturing packets', argv, netns, exitCode, signal, stderr })
}
