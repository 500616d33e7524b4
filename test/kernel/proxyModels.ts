import type { ProxyConfiguration, Route, VirtualHost, WeightedBackend } from '../../src/ingress/model.js'
import type { Answer } from '../fixtures/ingressPeer.js'
import { backend, configuration, host, listener } from '../ingress/models.js'
import { ports } from './proxyUnderTest.js'

/** The port that proxies listen on. */
export const port = 8080

/** A backend of this name, see `ports`. */
export function to(name: keyof typeof ports, given: Partial<WeightedBackend> = {}): WeightedBackend {
  return backend([ports[name]], { name, ...given })
}

/** Hosts on one port without TLS. */
export function plain(...hosts: readonly VirtualHost[]): ProxyConfiguration {
  return configuration(listener(port, hosts))
}

/** Routes of every host. */
export function everywhere(...routes: readonly Route[]): ProxyConfiguration {
  return plain(host('*', routes))
}

/** What a backend says that it was asked. */
export interface Echo {
  readonly backend: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly length: number
}

/** What the backend that answered was asked. */
export function echo(answer: Answer | undefined): Echo {
  if (answer?.status !== 200) throw new Error(`no answer of a backend: ${JSON.stringify(answer)}`)
  return JSON.parse(answer.body) as Echo
}
