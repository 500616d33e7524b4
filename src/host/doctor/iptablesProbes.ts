import type { Probe } from './probe.js'

/** The two programs behind the name `iptables`. */
export type Backend = 'nft' | 'legacy'

/** Each match and target that kube-proxy's rules use, with a rule that tests it. */
const features: readonly (Pick<Probe, 'name' | 'required' | 'neededFor' | 'module'> & {
  readonly rule: string
})[] = [
  { name: 'nat', required: true, neededFor: 'every Service', module: 'nf_nat', rule: '-t nat -N PROBE' },
  {
    name: 'comment',
    required: true,
    neededFor: 'every rule',
    module: 'xt_comment',
    rule: '-A FORWARD -m comment --comment probe',
  },
  {
    name: 'statistic',
    required: true,
    neededFor: 'choosing an endpoint',
    module: 'xt_statistic',
    rule: '-A FORWARD -m statistic --mode random --probability 0.5',
  },
  {
    name: 'addrtype',
    required: true,
    neededFor: 'node ports',
    module: 'xt_addrtype',
    rule: '-A FORWARD -m addrtype --dst-type LOCAL',
  },
  {
    name: 'conntrack',
    required: true,
    neededFor: 'forwarding',
    module: 'xt_conntrack',
    rule: '-A FORWARD -m conntrack --ctstate INVALID',
  },
  {
    name: 'mark',
    required: true,
    neededFor: 'masquerading',
    module: 'xt_mark',
    rule: '-A FORWARD -m mark --mark 0x4000/0x4000',
  },
  {
    name: 'MARK',
    required: true,
    neededFor: 'masquerading',
    module: 'xt_mark',
    rule: '-t nat -A OUTPUT -j MARK --or-mark 0x4000',
  },
  {
    name: 'DNAT',
    required: true,
    neededFor: 'every endpoint',
    module: 'xt_nat',
    rule: '-t nat -A OUTPUT -p tcp -j DNAT --to-destination 192.0.2.1:80',
  },
  {
    name: 'MASQUERADE',
    required: true,
    neededFor: 'masquerading',
    module: 'xt_MASQUERADE',
    rule: '-t nat -A POSTROUTING -j MASQUERADE',
  },
  {
    name: 'REJECT',
    required: true,
    neededFor: 'Services without endpoints',
    module: 'ipt_REJECT',
    rule: '-A FORWARD -j REJECT',
  },
  {
    name: '--random-fully',
    required: false,
    neededFor: 'masquerading without port clashes',
    module: 'xt_MASQUERADE',
    rule: '-t nat -A POSTROUTING -j MASQUERADE --random-fully',
  },
  {
    name: 'recent',
    required: false,
    neededFor: 'sessionAffinity',
    module: 'xt_recent',
    rule: '-A FORWARD -m recent --name probe --rcheck --seconds 10 --reap',
  },
]

/** The probes of one backend, run in order in one sandbox. */
export function iptablesProbes(backend: Backend): readonly Probe[] {
  const rules = features.map(({ rule, ...feature }) => ({
    ...feature,
    script: `iptables-${backend} -w ${rule}`,
  }))
  return [
    ...rules,
    {
      name: 'nfacct',
      required: false,
      neededFor: "kube-proxy's packet accounting",
      module: 'xt_nfacct',
      script: `nfacct add probe; iptables-${backend} -w -A FORWARD -m nfacct --nfacct-name probe`,
    },
    {
      name: 'IPv6 nat',
      required: false,
      neededFor: 'labs with IPv6',
      module: backend === 'nft' ? 'nft_chain_nat' : 'ip6table_nat',
      script: `ip6tables-${backend} -w -t nat -N PROBE`,
    },
  ]
}
