import { joinHostPort } from '../../net/socketText.js'
import type { Listener, VirtualHost } from '../model.js'
import { hostsOf } from '../hostOrder.js'
import { lots, sharesOf } from './chosen.js'
import { acls } from './conditions.js'
import { bindLines, type FrontendContext } from './frontends.js'
import { hostCondition } from './hostCondition.js'
import type { Line, Section } from './section.js'

/**
 * TLS that HAProxy does not end: it reads the name that the client asks for, and passes everything on. What has another
 * name goes to `socket`, where the same port's TLS is ended, when there is such a one.
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
    const asked = names.name([['req.ssl_sni', ...hostCondition(host.hostname, host.wildcard)]])
    return hostSections(host, `${stem}_${index}`, asked)
  })
  return [
    {
      head: ['frontend', stem],
      lines: [
        ['mode', 'tcp'],
        ['log-format', '{"time":"%Ts.%ms","client":"%ci:%cp","from":"%bi:%bp","upstream":"%si:%sp"}'],
        ...bindLines(first, context),
        ['tcp-request', 'inspect-delay', '5s'],
        ['tcp-request', 'content', 'set-var(txn.draw)', `rand(${lots})`],
        ['tcp-request', 'content', 'accept', 'if', '{', 'req.ssl_hello_type', 1, '}'],
        ...names.lines(),
        ...chosen.flatMap(({ lines }) => lines),
        ...(socket === undefined ? [] : [['default_backend', `${stem}_ended`]]),
      ],
    },
    ...chosen.flatMap(({ backends }) => backends),
    ...(socket === undefined
      ? []
      : [
          {
            head: ['backend', `${stem}_ended`],
            lines: [
              ['mode', 'tcp'],
              ['server', 'here', `unix@${socket}`, 'send-proxy-v2'],
            ],
          },
        ]),
  ]
}

/** The first route of a host is all of it: there is nothing else to go by. Nothing to go to: the connection is closed. */
function hostSections({ routes: [route] }: VirtualHost, stem: string, asked: string) {
  const backends =
    route?.action.kind === 'forward' ? route.action.backends.filter(({ weight }) => weight > 0) : []
  const lines = sharesOf(backends).map((below, index): Line => {
    const drawn = below === lots ? [] : ['{', 'var(txn.draw)', '-m', 'int', 'lt', below, '}']
    return ['use_backend', `${stem}_${index}`, 'if', asked, ...drawn]
  })
  return {
    lines: lines.length > 0 ? lines : [['use_backend', `${stem}_none`, 'if', asked]],
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
