import type { IpFamily } from '../net/ipFamily.js'

/** What a proxy's configuration depends on beside what it is to do. */
export interface ProxySettings {
  /** Folder that the files of this configuration are in, as the proxy sees it. */
  readonly folder: string
  /** Told by the proxy once it serves this configuration. */
  readonly generation: string
  readonly families: readonly IpFamily[]
  /** nginx: absolute path of ngx_stream_module.so; undefined where it is built in. */
  readonly streamModule?: string | undefined
}

/** A file of a proxy's configuration. */
export interface ConfigurationFile {
  /** Inside the folder of the configuration. */
  readonly name: string
  readonly text: string
  /** Certificates and keys are in it. */
  readonly holdsKeys?: true
}

/** What a proxy cannot do of what a route asks; the rest of the configuration stands. */
export interface Unsupported {
  readonly route: string
  readonly what: string
}

/** The socket, in the folder that a proxy is started in, on which it tells the generation that it serves. */
export const statusSocket = 'status.sock'
