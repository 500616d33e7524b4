import { signal } from '@preact/signals'
import { ownApi } from '../live/call.js'

/** `lost`: the browser connects again by itself; `closed`: it has no session any more. */
export type Connection = 'connecting' | 'open' | 'lost' | 'closed' | 'ended'

export const connection = signal<Connection>('connecting')
/** Why the class has ended. */
export const ending = signal('')

/** Follows the events of the class until it ends: each handler gets the data of the events with its name. */
export function follow<Events extends { readonly end: { readonly reason: string } }>(handlers: {
  readonly [Name in Exclude<keyof Events, 'end'>]: (data: Events[Name]) => void
}): void {
  const source = new EventSource(`${ownApi.base}/events`)
  source.onopen = () => (connection.value = 'open')
  source.onerror = () => {
    connection.value = 'lost'
    // the browser does not connect again after an answer other than 200
    if (source.readyState !== EventSource.CLOSED) return
    void hasSession().then((has) => {
      if (has) setTimeout(() => follow<Events>(handlers), 2000)
      else connection.value = 'closed'
    })
  }
  for (const [name, handle] of Object.entries<(data: never) => void>(handlers))
    source.addEventListener(name, ({ data }: MessageEvent<string>) => handle(JSON.parse(data) as never))
  source.addEventListener('end', ({ data }: MessageEvent<string>) => {
    source.close()
    ending.value = (JSON.parse(data) as Events['end']).reason
    connection.value = 'ended'
  })
}

/** Whether this browser has a session; true while the server cannot be reached. */
async function hasSession(): Promise<boolean> {
  try {
    return (await fetch(`${ownApi.base}/me`)).status !== 401
  } catch {
    return true
  }
}
