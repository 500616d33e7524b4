import type { IpFamily } from '../net/ipFamily.js'

/** Settings of a proxy's configuration that do not come from objects. */
export interface ProxySettings {
  /** Folder of the files of this configuration, as a path inside the proxy. */
  readonly folder: string
  /** The proxy reports it when it serves this configuration. */
  readonly generation: string
  readonly families: readonly IpFamily[]
  /** nginx: absolute path of ngx_stream_module.so; undefined if it is built in. */
  readonly streamModule?: string | undefined
}

/** A file of a proxy's configuration. */
export interface ConfigurationFile {
  /** Relative to the folder of the configuration. */
  readonly name: string
  readonly text: string
  /** The file contains certificates and keys. */
  readonly holdsKeys?: true
}

/** A part of a route that a proxy does not support; the rest of the configuration is used. */
export interface Unsupported {
  readonly route: string
  readonly what: string
}

/** The socket, in the working directory of a proxy, on which it reports the generation that it serves. */
export const statusSocket = 'status.sock'
