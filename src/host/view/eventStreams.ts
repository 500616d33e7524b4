import type { ServerResponse } from 'node:http'
import { HttpError } from './httpError.js'

/** An event: its name, and a value that becomes JSON. */
export type ServerEvent = readonly [name: string, data: unknown]

/** Open streams of server-sent events (WHATWG HTML, "Server-sent events"); each gets every event. */
export interface EventStreams {
  /** Starts a stream with these events. Throws HttpError if there are too many. */
  open(response: ServerResponse, first: readonly ServerEvent[]): void
  send(event: ServerEvent): void
  readonly count: number
  /** Ends all streams after what was sent; further ones can be opened. */
  disconnect(): void
  /** The same, and the timer too. */
  end(): void
}

const usualStreams = 32

/** A browser that is this many bytes behind is disconnected; it connects again by itself. */
const mostUnreadBytes = 4 * 1024 * 1024

/** A comment is sent after this time without an event, so that both sides notice a lost connection. */
const heartbeatMs = 15_000

/** Streams that end when the server or the browser ends them. */
export function createEventStreams(mostStreams = usualStreams): EventStreams {
  const open = new Set<ServerResponse>()
  const write = (response: ServerResponse, text: string) => {
    if (response.writableLength > mostUnreadBytes) response.destroy()
    else if (!response.writableEnded) response.write(text)
  }
  const timer = setInterval(() => open.forEach((one) => write(one, ':\n\n')), heartbeatMs).unref()
  return {
    get count() {
      return open.size
    },
    open(response, first) {
      if (open.size >= mostStreams) throw new HttpError(503, `${mostStreams} pages are open already`)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`retry: 1000\n\n${first.map(textOf).join('')}`)
      open.add(response)
      response.on('close', () => open.delete(response))
    },
    send(event) {
      if (open.size === 0) return
      const text = textOf(event)
      open.forEach((one) => write(one, text))
    },
    disconnect: () => open.forEach((one) => one.end()),
    end() {
      clearInterval(timer)
      open.forEach((one) => one.end())
    },
  }
}

/** JSON has no line break, which would end the data. */
function textOf([name, data]: ServerEvent): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
