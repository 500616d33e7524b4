import { joinHostPort } from '../../net/socketText.js'
import type { Listener, VirtualHost } from '../model.js'
import { hostsOf } from '../hostOrder.js'
import { randomRange, sharesOf } from './chosen.js'
import { acls } from './conditions.js'
import { bindLines, type FrontendContext } from './frontends.js'
import { hostCondition } from './hostCondition.js'
import type { Line, Section } from './section.js'

/**
 * TLS passthrough: HAProxy reads the SNI of the client, and forwards the connection without decryption. Connections with
 * another SNI go to `socket`, if set, where TLS of the same port is terminated.
 */
export function passthroughSections(
  listeners: readonly Listener[],
  socket: string | undefined,
  context: FrontendContext,
): Section[] {
  const [first] = listeners
  if (first === undefined) return []
  const names = acls()
  const stem = `tls_${first.port}`
  const chosen = hostsOf(listeners).map((host, index) => {
    const matches = names.name([['req.ssl_sni', ...hostCondition(host.hostname, host.wildcard)]])
    return hostSections(host, `${stem}_${index}`, matches)
  })
  return [
    {
      head: ['frontend', stem],
      lines: [
        ['mode', 'tcp'],
        ['log-format', '{"time":"%Ts.%ms","client":"%ci:%cp","from":"%bi:%bp","upstream":"%si:%sp"}'],
        ...bindLines(first, context),
        ['tcp-request', 'inspect-delay', '5s'],
        ['tcp-request', 'content', 'set-var(txn.random)', `rand(${randomRange})`],
        ['tcp-request', 'content', 'accept', 'if', '{', 'req.ssl_hello_type', 1, '}'],
        ...names.lines(),
        ...chosen.flatMap(({ lines }) => lines),
        ...(socket === undefined ? [] : [['default_backend', `${stem}_terminated`]]),
      ],
    },
    ...chosen.flatMap(({ backends }) => backends),
    ...(socket === undefined
      ? []
      : [
          {
            head: ['backend', `${stem}_terminated`],
            lines: [
              ['mode', 'tcp'],
              ['server', 'here', `unix@${socket}`, 'send-proxy-v2'],
            ],
          },
        ]),
  ]
}

/** The backends of a host's first route; only the host name can be matched. Without backends the connection is closed. */
function hostSections({ routes: [route] }: VirtualHost, stem: string, matches: string) {
  const backends =
    route?.action.kind === 'forward' ? route.action.backends.filter(({ weight }) => weight > 0) : []
  const lines = sharesOf(backends).map((below, index): Line => {
    const random = below === randomRange ? [] : ['{', 'var(txn.random)', '-m', 'int', 'lt', below, '}']
    return ['use_backend', `${stem}_${index}`, 'if', matches, ...random]
  })
  return {
    lines: lines.length > 0 ? lines : [['use_backend', `${stem}_none`, 'if', matches]],
    backends: [
      ...backends.map(({ endpoints }, index) => ({
        head: ['backend', `${stem}_${index}`],
        lines: [
          ['mode', 'tcp'],
          ...endpoints.map(({ address, port }, number) => [
            'server',
            `endpoint_${number}`,
            joinHostPort(address, port),
          ]),
        ],
      })),
      ...(lines.length > 0 ? [] : [{ head: ['backend', `${stem}_none`], lines: [['mode', 'tcp']] }]),
    ],
  }
}
