import type { Readable } from 'node:stream'

/** The lines of a stream; `hold` resolves with false if the stream ends without a line. */
export function streamLines(stream: Readable | null): { hold(line: string): Promise<boolean> } {
  let text = ''
  let ended = stream === null
  let heard: () => void = () => undefined
  stream?.on('data', (chunk: Buffer | string) => {
    text += chunk.toString()
    heard()
  })
  stream?.once('close', () => {
    ended = true
    heard()
  })
  return {
    hold: (line) =>
      new Promise((resolve) => {
        heard = () => {
          if (text.split('\n').includes(line)) resolve(true)
          else if (ended) resolve(false)
        }
        heard()
      }),
  }
}
