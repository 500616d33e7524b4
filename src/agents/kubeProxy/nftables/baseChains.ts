import { has } from '../versions/features.js'
import type { MinorVersion } from '../versions/version.js'
import { nftChain } from './chainNames.js'
import { nodePortIPsSet } from './containers.js'
import type { NftContext } from './context.js'
import type { NftReason } from './reason.js'
import type { NftChain, NftHook, NftRule, Statement } from './rule.js'

type BaseChain = readonly [name: string, hook: NftHook, jumps: readonly string[]]

/** Filter checks, before or after DNAT, apply only to new connections. */
const checked = 'ct state new'

/**
 * Base chains and their jumps; mirrors nftablesBaseChains and nftablesJumpChains. Traffic rejected by address and
 * port is checked before DNAT (dstnat - 10), traffic without endpoints after it (filter); in old versions before it too.
 */
function baseChains(version: MinorVersion): readonly BaseChain[] {
  if (has(version, 'filterAfterDNAT')) return bases
  return [
    ['filter-prerouting', filter('prerouting', -110), [nftChain.firewallCheck]],
    [
      'filter-input',
      filter('input', -110),
      [nftChain.nodePortEndpointsCheck, nftChain.serviceEndpointsCheck],
    ],
    ['filter-forward', filter('forward', -110), [nftChain.serviceEndpointsCheck, nftChain.clusterIPsCheck]],
    ['filter-output', filter('output', -110), [nftChain.serviceEndpointsCheck, nftChain.firewallCheck]],
    ['filter-output-post-dnat', filter('output', -90), [nftChain.clusterIPsCheck]],
    ...bases.filter(([, { type }]) => type === 'nat'),
  ]
}

const bases: readonly BaseChain[] = [
  ['filter-prerouting-pre-dnat', filter('prerouting', -110), [nftChain.firewallCheck]],
  ['filter-output-pre-dnat', filter('output', -110), [nftChain.firewallCheck]],
  ['filter-input', filter('input', 0), [nftChain.nodePortEndpointsCheck, nftChain.serviceEndpointsCheck]],
  ['filter-forward', filter('forward', 0), [nftChain.serviceEndpointsCheck, nftChain.clusterIPsCheck]],
  ['filter-output', filter('output', 0), [nftChain.serviceEndpointsCheck, nftChain.clusterIPsCheck]],
  ['nat-prerouting', nat('prerouting', -100), [nftChain.services]],
  ['nat-output', nat('output', -100), [nftChain.services]],
  ['nat-postrouting', nat('postrouting', 100), [nftChain.masquerading]],
]

/** The chains that every node has, in the order in which kube-proxy makes them. */
export function fixedChains(context: NftContext): readonly NftChain[] {
  const chains = [
    [nftChain.nodePortEndpointsCheck, [nodePortEndpointsCheck(context)]],
    [
      nftChain.serviceEndpointsCheck,
      [byDestination(context, 'no-endpoint-services', 'serviceEndpointsCheck')],
    ],
    [nftChain.firewallCheck, [byDestination(context, 'firewall-ips', 'firewallCheck')]],
    [nftChain.services, services(context)],
    [nftChain.masquerading, masquerading(context)],
    [nftChain.clusterIPsCheck, clusterIPsCheck(context)],
  ] as const
  return [
    ...baseChains(context.version).map(([name, hook, jumps]) => ({
      name,
      hook,
      rules: jumps.map((to) => rule([...(hook.type === 'filter' ? [checked] : []), `jump ${to}`], 'jump')),
    })),
    ...chains.map(([name, rules]) => ({ name, rules })),
    ...(has(context.version, 'inlinedMarks')
      ? []
      : [
          {
            name: nftChain.markForMasquerade,
            rules: [rule([{ kind: 'setMark', operation: 'or', mark: context.mark }], 'markForMasquerade')],
          },
        ]),
    {
      name: nftChain.reject,
      comment: 'helper for @no-endpoint-services / @no-endpoint-nodeports',
      rules: [rule(['reject'], 'reject')],
    },
  ]
}

function services(context: NftContext): readonly NftRule[] {
  const { ip, masqueradeAll, detector, mark, version } = context
  const clusterIP = `${ip} daddr @cluster-ips`
  const setMark: Statement = { kind: 'setMark', operation: 'or', mark }
  const masquerade = !has(version, 'inlinedMarks')
    ? []
    : masqueradeAll
      ? [rule([clusterIP, setMark], 'masqueradeAll', 'masquerade all clusterIP traffic')]
      : detector === undefined
        ? []
        : [
            rule(
              [clusterIP, localTraffic(context, true), setMark],
              'masqueradeOutside',
              'masquerade clusterIP traffic from outside cluster',
            ),
          ]
  return [
    ...masquerade,
    byDestination(context, 'service-ips', 'serviceIPs'),
    rule([nodePortDestination(context, true), byPort('service-nodeports')], 'nodePorts'),
  ]
}

function nodePortEndpointsCheck(context: NftContext): NftRule {
  return rule(
    [nodePortDestination(context, false), byPort('no-endpoint-nodeports')],
    'nodePortEndpointsCheck',
  )
}

/** Which destinations can be node ports. In the input hook all packets are for this node: only nat queries the fib. */
function nodePortDestination({ ip, nodePortIPs }: NftContext, askFib: boolean): string {
  if (nodePortIPs !== undefined) return `${ip} daddr @${nodePortIPsSet}`
  const notLoopback = ip === 'ip' ? 'ip daddr != 127.0.0.0/8' : 'ip6 daddr != ::1'
  return askFib ? `fib daddr type local ${notLoopback}` : notLoopback
}

function masquerading({ ip, mark, version }: NftContext): readonly NftRule[] {
  if (!has(version, 'inlinedMarks'))
    return [
      rule([{ kind: 'hasMark', mark, negated: true }, 'return'], 'unmarked'),
      rule([{ kind: 'setMark', operation: 'xor', mark }], 'unmark'),
      rule(['masquerade fully-random'], 'masqueradeMarked'),
    ]
  return [
    rule(
      [{ kind: 'hasMark', mark }, { kind: 'setMark', operation: 'xor', mark }, 'masquerade fully-random'],
      'masqueradeMarked',
    ),
    rule(
      [
        `ct status dnat ${ip} saddr . ${ip} daddr . meta l4proto . th dport @hairpin-connections`,
        'masquerade fully-random',
      ],
      'hairpin',
    ),
  ]
}

function clusterIPsCheck({ ip, serviceCIDRs }: NftContext): readonly NftRule[] {
  const invalid = rule(
    [`${ip} daddr @cluster-ips reject`],
    'invalidPorts',
    'Reject traffic to invalid ports of ClusterIPs',
  )
  if (serviceCIDRs.length === 0) return [invalid]
  const statements: readonly Statement[] = [{ kind: 'destinationIn', networks: serviceCIDRs }, 'drop']
  return [invalid, rule(statements, 'unallocated', 'Drop traffic to unallocated ClusterIPs')]
}

/** Traffic of this node's pods, or all other traffic. */
export function localTraffic({ ip, detector }: NftContext, negated: boolean): Statement {
  if (detector === undefined) throw new Error('no detector of local traffic')
  return detector.kind === 'source'
    ? `${ip} saddr ${negated ? '!= ' : ''}${detector.network}`
    : { kind: 'inInterface', name: detector.name.replace(/\+$/, '*'), negated }
}

function byDestination({ ip }: NftContext, map: string, reason: NftReason): NftRule {
  return rule([`${ip} daddr . meta l4proto . th dport vmap @${map}`], reason)
}

function byPort(map: string): string {
  return `meta l4proto . th dport vmap @${map}`
}

function rule(statements: readonly Statement[], reason: NftReason, comment?: string): NftRule {
  return { statements, reason, comment }
}

function filter(hook: NftHook['hook'], priority: number): NftHook {
  return { type: 'filter', hook, priority }
}

function nat(hook: NftHook['hook'], priority: number): NftHook {
  return { type: 'nat', hook, priority }
}
