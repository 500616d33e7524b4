/** The effective configuration from Ingress and Gateway API objects, independent of the proxy. */
export interface ProxyConfiguration {
  readonly listeners: readonly Listener[]
  /** By the IDs that virtual hosts refer to. */
  readonly certificates: Readonly<Record<string, Certificate>>
}

/** A certificate chain and its key, PEM. */
export interface Certificate {
  readonly certificate: string
  readonly key: string
}

/** A port that the proxy listens on; `TLS` is passed through by its server name (SNI), without decryption. */
export interface Listener {
  readonly port: number
  readonly protocol: 'HTTP' | 'HTTPS' | 'TLS'
  /** Whether each connection starts with a PROXY protocol header. */
  readonly proxyProtocol: boolean
  readonly hosts: readonly VirtualHost[]
}

/** The routes of one host name: `a.example.com`, `*.example.com`, or `*` for all other names. */
export interface VirtualHost {
  readonly hostname: string
  /** Whether a wildcard matches one label (Ingress) or any number of labels (Gateway API). */
  readonly wildcard: 'one-label' | 'suffix'
  readonly certificate?: string | undefined
  /**
   * The host name of its listener. Over TLS, a request for it is answered with 421 if the name of the connection (SNI)
   * belongs to another listener; undefined: requests of all connections are accepted.
   */
  readonly listener?: string | undefined
  /** The first match is used. */
  readonly routes: readonly Route[]
}

/** `Prefix` is by path elements: `/foo` is a prefix of `/foo/bar`, not of `/foobar`. */
export interface PathMatch {
  readonly type: 'Exact' | 'Prefix' | 'RegularExpression'
  readonly value: string
}

/** A condition on a header or query parameter. */
export interface Match {
  readonly name: string
  readonly type: 'Exact' | 'RegularExpression'
  readonly value: string
}

/** Headers that are set, added and removed, in this order. */
export interface HeaderModifier {
  readonly set: readonly Header[]
  readonly add: readonly Header[]
  readonly remove: readonly string[]
}

export interface Header {
  readonly name: string
  readonly value: string
}

/** Conditions of a request, and the action if they match. */
export interface Route {
  /** The object it comes from, `Kind/namespace/name/index`, for logs and findings. */
  readonly id: string
  readonly path: PathMatch
  readonly method?: string | undefined
  readonly headers: readonly Match[]
  readonly query: readonly Match[]
  readonly action: Forward | Redirect | Respond
  readonly requestHeaders?: HeaderModifier | undefined
  readonly responseHeaders?: HeaderModifier | undefined
  readonly rewrite?: Rewrite | undefined
  /** Backends that get a copy of each request; their responses are discarded. */
  readonly mirror?: readonly WeightedBackend[] | undefined
  readonly timeouts?: { readonly requestMs?: number; readonly backendRequestMs?: number } | undefined
  /** Address ranges of clients that are allowed; undefined: all. */
  readonly allowFrom?: readonly string[] | undefined
  readonly maxBodyBytes?: number | undefined
}

/** Changes of the request for the backend. */
export interface Rewrite {
  readonly hostname?: string | undefined
  readonly path?: PathRewrite | undefined
}

/** `Prefix` replaces the prefix that matched; `Regex` inserts groups of the path's expression: `/$2`. */
export interface PathRewrite {
  readonly type: 'Full' | 'Prefix' | 'Regex'
  readonly value: string
}

/** Forwards each request to a backend in proportion to its weight, and there to the next endpoint. */
export interface Forward {
  readonly kind: 'forward'
  readonly backends: readonly WeightedBackend[]
  /** A cookie that keeps a client with one endpoint. */
  readonly affinity?: { readonly cookie: string } | undefined
}

export interface Redirect {
  readonly kind: 'redirect'
  readonly scheme?: 'http' | 'https' | undefined
  readonly hostname?: string | undefined
  readonly port?: number | undefined
  readonly path?: PathRewrite | undefined
  readonly status: 301 | 302 | 303 | 307 | 308
}

/** The proxy responds itself. */
export interface Respond {
  readonly kind: 'respond'
  readonly status: number
}

/** The endpoints of a Service, or its cluster IP. Without endpoints the response is 503, or `unresolvedStatus`. */
export interface WeightedBackend {
  readonly name: string
  readonly weight: number
  readonly protocol: 'HTTP' | 'HTTPS' | 'GRPC' | 'GRPCS' | 'H2C'
  readonly endpoints: readonly { readonly address: string; readonly port: number }[]
  readonly unresolvedStatus?: number | undefined
  readonly requestHeaders?: HeaderModifier | undefined
  readonly responseHeaders?: HeaderModifier | undefined
}
