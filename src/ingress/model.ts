/** What a proxy is to do: what Ingress and Gateway API objects come down to, and configurations are written from. */
export interface ProxyConfiguration {
  readonly listeners: readonly Listener[]
  /** By the ids that virtual hosts name. */
  readonly certificates: Readonly<Record<string, Certificate>>
}

/** A certificate chain and its key, PEM. */
export interface Certificate {
  readonly certificate: string
  readonly key: string
}

/** A port that the proxy listens on; `TLS` is passed through by its server name (SNI), undecrypted. */
export interface Listener {
  readonly port: number
  readonly protocol: 'HTTP' | 'HTTPS' | 'TLS'
  /** Whether each connection begins with a PROXY protocol header. */
  readonly proxyProtocol: boolean
  readonly hosts: readonly VirtualHost[]
}

/** The routes of one host name: `a.example.com`, `*.example.com`, or `*` for all that no other takes. */
export interface VirtualHost {
  readonly hostname: string
  /** Whether a wildcard stands for one label (Ingress) or for any number of them (Gateway API). */
  readonly wildcard: 'one-label' | 'suffix'
  readonly certificate?: string | undefined
  /**
   * The host name of the listener that it is part of. Over TLS, a request for it is answered with 421 when the name that
   * the connection was made for (SNI) is another listener's; undefined: every connection will do.
   */
  readonly listener?: string | undefined
  /** The first that matches is taken. */
  readonly routes: readonly Route[]
}

/** `Prefix` is by path elements: `/foo` is a prefix of `/foo/bar`, not of `/foobar`. */
export interface PathMatch {
  readonly type: 'Exact' | 'Prefix' | 'RegularExpression'
  readonly value: string
}

/** What a header or query parameter must be. */
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

/** What matches, and what is done then. */
export interface Route {
  /** The object it comes from, `Kind/namespace/name/index`: logs and findings name it. */
  readonly id: string
  readonly path: PathMatch
  readonly method?: string | undefined
  readonly headers: readonly Match[]
  readonly query: readonly Match[]
  readonly action: Forward | Redirect | Respond
  readonly requestHeaders?: HeaderModifier | undefined
  readonly responseHeaders?: HeaderModifier | undefined
  readonly rewrite?: Rewrite | undefined
  /** Backends that get a copy of each request; their answers are thrown away. */
  readonly mirror?: readonly WeightedBackend[] | undefined
  readonly timeouts?: { readonly requestMs?: number; readonly backendRequestMs?: number } | undefined
  /** Address ranges that may ask; undefined: all. */
  readonly allowFrom?: readonly string[] | undefined
  readonly maxBodyBytes?: number | undefined
}

/** What the backend is asked for instead. */
export interface Rewrite {
  readonly hostname?: string | undefined
  readonly path?: PathRewrite | undefined
}

/** `Prefix` replaces the prefix that matched; `Regex` fills in the groups of the path's expression: `/$2`. */
export interface PathRewrite {
  readonly type: 'Full' | 'Prefix' | 'Regex'
  readonly value: string
}

/** Passes requests on: each to a backend in proportion to its weight, and there to the next endpoint. */
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

/** Answers by itself. */
export interface Respond {
  readonly kind: 'respond'
  readonly status: number
}

/** A Service's endpoints, or its own address. Without any it answers 503, or `unresolvedStatus`. */
export interface WeightedBackend {
  readonly name: string
  readonly weight: number
  readonly protocol: 'HTTP' | 'HTTPS' | 'GRPC' | 'GRPCS' | 'H2C'
  readonly endpoints: readonly { readonly address: string; readonly port: number }[]
  readonly unresolvedStatus?: number | undefined
  readonly requestHeaders?: HeaderModifier | undefined
  readonly responseHeaders?: HeaderModifier | undefined
}
