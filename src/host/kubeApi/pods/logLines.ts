import type { LogOptions } from '../../../apiserver/logOptions.js'
import type { WriteTimes } from './writeTimes.js'

/** Turns parts of a log, in their order, into what is sent of it, in a buffer of its own. */
type LogLines = (part: Buffer, position: number, times: Pick<WriteTimes, 'at'>) => Buffer

/**
 * Leaves out the lines before `since`, and puts the time before each line with `timestamps`, as kubelet does (logWriter.write).
 * The time of a line is that of its first byte.
 */
export function logLines({
  timestamps,
  since = -Infinity,
}: Pick<LogOptions, 'timestamps' | 'since'>): LogLines {
  let isInLine = false
  let isSent = false
  return (part, position, times) => {
    const sent: Buffer[] = []
    for (let start = 0; start < part.length;) {
      const feed = part.indexOf(0x0a, start)
      const end = feed === -1 ? part.length : feed + 1
      if (!isInLine) {
        const time = times.at(position + start)
        isSent = time >= since
        if (isSent && timestamps) sent.push(Buffer.from(`${rfc3339Nano(time)} `))
      }
      if (isSent) sent.push(part.subarray(start, end))
      isInLine = feed === -1
      start = end
    }
    return Buffer.concat(sent)
  }
}

/** With nine decimals, of which a time in ms has six. */
function rfc3339Nano(time: number): string {
  const whole = Math.floor(time)
  const micro = Math.floor((time - whole) * 1000)
  return new Date(whole).toISOString().replace('Z', `${String(micro).padStart(3, '0')}000Z`)
}
