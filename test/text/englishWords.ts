import type { Snapshot } from '../../src/snapshot/model/snapshot.js'

/** Words of the field that Korean texts keep: protocols, tables, tools and words of their output. */
const terms = new Set(
  `rr tcp udp icmp http https grpc arp ip nat filter mangle raw main local iptables nftables nft ipvs userspace ipset ipsets conntrack veth
  bridge vxlan hairpin martian ping netstat ifconfig ss sysctl lsmod grep ingress egress Ingress Gateway Local Cluster Pod Service Node
  Deployment Admin Baseline kubelet established related new invalid untracked via dev Docker Calico Cilium nginx haproxy nfacct recent
  persistence syn ct ipvsadm xz forwarding localhost Proxy Endpoints true false unreachable HTTP port random unicast multicast
  broadcast blackhole prohibit throw`.split(/\s+/),
)

/** The English words of a Korean sentence that are neither names, numbers, flags, fields, quoted texts nor words of the field. */
export function englishWords(korean: string, names: ReadonlySet<string>): string[] {
  const words = korean
    .replaceAll(/`[^`]*`|“[^”]*”|"[^"]*"/g, ' ')
    .replaceAll(
      /\b(?:ip|bridge|ipset) (?:link|rule|route|addr|list|save)(?: get)?(?![a-z])|\broute (?=-)/g,
      ' ',
    )
    // the specification of a rule, and options of a command
    .replaceAll(/(?<![\w-])--?[a-zA-Z][^가-힣)]*/g, ' ')
    // a field of a list
    .replaceAll(/[\w.]+\[\d*\][\w.]*/g, ' ')
    .split(/[^\w.:/@=*’'-]+/)
  return words
    .map((word) => word.replaceAll(/^[:'-]+|[.:'-]+$/g, ''))
    .filter((word) => /^[A-Za-z][a-z’']*$/.test(word) && !terms.has(word) && !names.has(word))
}

/** The names in a snapshot: of objects, places and what is in them. */
export function namesIn({ model, state }: Snapshot): Set<string> {
  const names = new Set<string>()
  const add = (value: unknown, key: string): void => {
    if (typeof value === 'string') {
      if (/name$|^(?:namespace|netns|host)$/i.test(key)) for (const word of value.split(' ')) names.add(word)
    } else if (Array.isArray(value)) for (const one of value) add(one, key)
    else if (typeof value === 'object' && value !== null)
      for (const [own, inner] of Object.entries(value)) {
        add(inner, own)
        if (/labels|selector|annotations/i.test(key)) for (const word of [own, inner]) names.add(String(word))
      }
  }
  add([model.cluster, model.topology, model.lab, [...state.network.devices]], '')
  return names
}

/** Translations of sentences about snapshots in which words are left in English; and how many sentences there are. */
export function leftInEnglish(
  snapshots: readonly Snapshot[],
  sentencesAbout: (snapshot: Snapshot) => readonly string[],
  translate: (sentence: string) => string,
): { readonly left: readonly string[]; readonly count: number } {
  const all = new Set<string>()
  const left = snapshots.flatMap((snapshot) => {
    const names = namesIn(snapshot)
    return [...new Set(sentencesAbout(snapshot))].flatMap((sentence) => {
      all.add(sentence)
      const korean = translate(sentence)
      return englishWords(korean, names).length === 0 ? [] : [korean]
    })
  })
  return { left: [...new Set(left)], count: all.size }
}
