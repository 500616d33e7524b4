import type { IpFamily } from '../../net/ipFamily.js'
import type { Flow, TransportProtocol } from '../../packets/types.js'
import type { SocketAddress } from '../../net/socketAddress.js'
import type { TerminalSize } from '../../host/terminal/startTerminal.js'
import type { TopologyView } from '../../results/events.js'
import type { Language } from '../../text/language.js'
import type { Hook } from '../../trace/model/steps.js'
import type { FlowPath, ShownPlace } from '../report/document.js'

/*
 * The API between `vethlab view` and its page, version 1; docs/view-api.md describes it. All paths start with `/api/v1`, bodies
 * are JSON, times are milliseconds since the epoch. An error is an `ApiError` with a status of 4xx or 5xx.
 *
 *     GET    /lab                                   LiveLab, of a running lab or of a cluster that was read
 *     GET    /events                                server-sent events: the names and data of `LiveEvents`
 *     POST   /requests              LiveRequest     RequestRun: sends (or predicts) a request; every page gets event `request`
 *     GET    /requests                              readonly RequestRun[]: the last ones, oldest first, without paths
 *     GET    /requests/{id}/paths/{n}               FlowPath: one of those that are possible, from 0
 *     POST   /why                   LiveRequest     what `vethlab why --json` prints
 *     GET    /links/{netns}/{interface}/packets     readonly LivePacket[]: the last ones
 *     GET    /links/{netns}/{interface}/pcap        pcapng file of the packets that are kept
 *     GET    /nodes/{node}/rules?family=            NodeRules; `&mode=nftables` as another mode would write them
 *     POST   /nodes/{node}/rules    SwitchRule      NodeRules: takes a rule out of the kernel, or restores it
 *     POST   /nodes/{node}/kube-proxy               {}: restarts the kube-proxy of a node, as `vethlab restart` does
 *     GET    /places/{netns}                        PlaceDetails
 *     GET    /places/{netns}/callers                PodCallers: who may talk to a pod
 *     POST   /terminals             OpenTerminal    OpenedTerminal: starts a shell in a place
 *     GET    /terminals/{id}/output                 what it prints, as it comes; the end of the connection closes the terminal
 *     POST   /terminals/{id}/input  { text }        types
 *     POST   /terminals/{id}/size   TerminalSize
 *     DELETE /terminals/{id}                        closes it
 *     *      /kubernetes/…                          the lab's Kubernetes API: same paths, methods, bodies and answers
 *     POST   /invitations                           Invitation: a URL with a token for another browser
 */

/** A lab that is running. */
export interface LiveLab {
  readonly vethlab: string
  readonly lab: string
  readonly title: string
  /** The title in other languages that it has. */
  readonly titles?: Readonly<Partial<Record<Language, string>>> | undefined
  /** Absent if no kube-proxy runs. */
  readonly mode?: string | undefined
  readonly backend: string
  readonly families: readonly IpFamily[]
  readonly startedAt: number
  readonly topology: TopologyView
  /** By name of the network namespace. */
  readonly places: Readonly<Record<string, LivePlace>>
  /** The network namespaces whose link passes no packets, because one of its ends is down. */
  readonly downLinks: readonly string[]
  /** Whether the page may not change objects and rules. */
  readonly readOnly: boolean
  /** The first request of the lab’s steps. */
  readonly firstRequest?: LiveRequest | undefined
  /** What `check` found in a cluster that was read; absent for a running lab, which alone has packets, terminals and the API. */
  readonly findings?: readonly LiveFinding[] | undefined
}

/** Something that is wrong in a cluster that was read, or a risk. */
export interface LiveFinding {
  readonly isRisk: boolean
  readonly says: string
  /** Where it was read: `node-a/iptables.txt:12`. */
  readonly at: readonly string[]
  /** How many requests fail by it, and one of them. */
  readonly affects: number
  readonly request?: LiveRequest | undefined
  readonly fixes: readonly { readonly says: string; readonly command?: string | undefined }[]
}

export interface LivePlace extends ShownPlace {
  /** Pods: their node. */
  readonly node?: string | undefined
  /** Interfaces whose packets are shown: `lo`, and each that is an end of a link. */
  readonly interfaces: readonly string[]
}

/** Events of the page, by name. */
export interface LiveEvents {
  /** First, and after each change of pods or Services. */
  readonly lab: LiveLab
  readonly packets: LivePackets
  /** A request of any page was sent or has ended. */
  readonly request: RequestRun
  /** A page has switched a rule of this node off, or on again. */
  readonly rules: { readonly node: string }
  /** The lab has ended: the last event. */
  readonly end: { readonly reason: string }
}

/** Packets since the last event, in order of time; `left` more were captured, and not sent to the page. */
export interface LivePackets {
  readonly packets: readonly LivePacket[]
  readonly left: number
}

/** A packet on one interface. */
export interface LivePacket {
  readonly time: number
  readonly netns: string
  readonly interface: string
  readonly direction: 'in' | 'out'
  readonly protocol: TransportProtocol
  readonly source: SocketAddress
  readonly destination: SocketAddress
  /** Bytes of the IP packet. */
  readonly length: number
  /** For people: `SYN`, `GET /`, `echo request`. */
  readonly summary: string
  /** The same for each place at which one packet is seen, whatever NAT rewrote; of a tunnel, of the inner packet. */
  readonly packet: string
  /** Which of its addresses differ from those that its sender wrote. */
  readonly rewritten: readonly ('source' | 'destination')[]
  readonly tunnel?: { readonly source: string; readonly destination: string } | undefined
}

/** A request that the page sends, or predicts. */
export interface LiveRequest {
  /** A node, pod or client, as in `vethlab trace`. */
  readonly from: string
  /** A URL, or host:port; names in braces are replaced by addresses. */
  readonly to: string
  readonly protocol: 'tcp' | 'udp' | 'icmp'
  /** The host name of an HTTP request, by which a proxy selects its backend; by default that of the URL. */
  readonly host?: string | undefined
  readonly fromPort?: number | undefined
  /** No packet is sent. */
  readonly predict?: boolean | undefined
  /** Rules to leave out of a prediction: `node-a KUBE-POSTROUTING 3`. */
  readonly without?: readonly string[] | undefined
}

/** A request of a page, as all pages see it. */
export interface RequestRun {
  readonly id: number
  readonly request: LiveRequest
  readonly startedAt: number
  /** What it does while it runs. */
  readonly phase?: RequestPhase | undefined
  /** While it is `reading`: the number of network namespaces. */
  readonly places?: number | undefined
  /** Absent while it runs. */
  readonly result?: RequestOutcome | { readonly error: string } | undefined
}

/** `reading`: the rules, routes and connections of places, of a large lab those on the paths; `tracing`: a packet is sent; `predicting`: its paths are computed. */
export type RequestPhase = 'reading' | 'tracing' | 'predicting'

/** How a request ended: the data of the path pane. */
export interface RequestOutcome {
  /** `HTTP 200`, `timeout`, `failed: curl: (35) …`; absent for a prediction. */
  readonly outcome?: string | undefined
  /** What answered; absent for a prediction, and if nothing did. */
  readonly answer?: RequestAnswer | undefined
  /** What was captured; for a prediction without hops. */
  readonly flow: Flow
  /** Whether the caller got an answer that is no error of HTTP, or is predicted to get one on this path. */
  readonly passed: boolean
  /**
   * The predicted path, with what the kernel's trace confirms; of a prediction the first one. Absent in events and in
   * `GET /requests`: the paths of a large lab are megabytes.
   */
  readonly path?: FlowPath | undefined
  /** Differences between the prediction and the kernel's trace, as text; none for a prediction. */
  readonly differences: readonly string[]
  /** For a prediction: what it does not include. */
  readonly limits?: readonly string[] | undefined
  /** For a prediction: how every possible path ends, with its probability. */
  readonly paths: readonly { readonly probability: number; readonly end: string }[]
}

/** What the caller got. */
export interface RequestAnswer {
  /** Of HTTP. */
  readonly status?: number | undefined
  /** The pod that answered, if it says so: `default/web-1`. */
  readonly pod?: string | undefined
  readonly milliseconds: number
  /** At most 4,096 characters. */
  readonly body: string
}

/** The rules of a node, of all programs, in the order of the hooks. */
export interface NodeRules {
  readonly node: string
  /** Absent if no kube-proxy runs. */
  readonly mode?: string | undefined
  readonly family: IpFamily
  /** False if these are the rules of another mode, which no kernel has. */
  readonly isLive: boolean
  readonly chains: readonly LiveChain[]
}

export interface LiveChain {
  readonly table: string
  readonly chain: string
  /** Base chains only. */
  readonly hook?: Hook | undefined
  readonly policy?: string | undefined
  readonly rules: readonly LiveRule[]
}

export interface LiveRule {
  /** Unchanged while the rule is in the kernel, and while it is switched off. */
  readonly id: string
  /** As the mode's tool prints it, without table, chain and counters. */
  readonly text: string
  /** What it does, in a sentence. */
  readonly explanation?: string | undefined
  /** The port of the Service behind it: `default/web:http`. */
  readonly object?: string | undefined
  /** `kube-proxy`, `CNI plugin`, `Docker`, …; absent if it is not known. */
  readonly owner?: string | undefined
  /** Absent for nftables, whose rules have no counters. */
  readonly packets?: number | undefined
  readonly isOff: boolean
}

/** Switches a rule off, or on again. */
export interface SwitchRule {
  readonly family: IpFamily
  readonly id: string
  readonly off: boolean
}

/** What a node, pod or client has now. */
export interface PlaceDetails extends LivePlace {
  readonly netns: string
  readonly addresses: readonly { readonly interface: string; readonly address: string }[]
  /** As `ip route` prints them. */
  readonly routes: readonly string[]
  readonly sockets: readonly {
    readonly protocol: string
    readonly local: string
    readonly peer: string
    readonly state: string
    readonly process?: string | undefined
  }[]
  readonly conntrack: readonly ConntrackLine[]
}

export interface ConntrackLine {
  readonly protocol: string
  readonly state?: string | undefined
  readonly original: { readonly source: string; readonly destination: string }
  readonly reply: { readonly source: string; readonly destination: string }
}

/**
 * Who may open connections to the ports of a pod, by its own address, as the policies of both ends decide. `decided`: nodes enforce
 * them. `not-enforced`: the lab does not, and everything passes. `no-agent`: no node has rules of an agent, and it is not known whether
 * policies are enforced. `none-attached`: no policy is among the files, and there may be some. `not-selectable`: policies select no such
 * place: a node, a client, a pod on the network of its node, or one that has ended.
 */
export interface PodCallers {
  readonly state: 'decided' | 'not-enforced' | 'no-agent' | 'none-attached' | 'not-selectable'
  /** Policies that were attached and are not evaluated: `2 CiliumNetworkPolicies`. */
  readonly ignored: readonly string[]
  /** Those that containers declare or Services send to. */
  readonly ports: readonly { readonly port: string; readonly groups: readonly CallerGroup[] }[]
  /** Callers that are left out, of clusters with many. */
  readonly left: number
}

/** Callers for which the same policies decide in the same way. */
export interface CallerGroup {
  readonly allowed: boolean
  /** What decides: of an allowed connection for both ends, of a denied one where it is denied. */
  readonly reasons: readonly CallerReason[]
  readonly callers: readonly { readonly netns: string; readonly name: string }[]
}

export interface CallerReason {
  readonly end: 'egress' | 'ingress'
  /** `rule`: a rule allows or denies it; `isolated`: policies select the pod, and no rule allows it; `own-node`: a node reaches its pods. */
  readonly why: 'rule' | 'isolated' | 'own-node' | 'not-isolated'
  /** `NetworkPolicy default/web`; of `isolated`, all of them. */
  readonly policies: readonly string[]
  readonly field?: string | undefined
}

export type { TerminalSize }

/** A terminal in a place. */
export interface OpenTerminal extends TerminalSize {
  /** A network namespace. */
  readonly place: string
}

export interface OpenedTerminal {
  readonly id: string
}

export interface Invitation {
  /** Works once, for ten minutes. */
  readonly url: string
}

/** The body of an error. */
export interface ApiError {
  readonly error: string
  readonly hint?: string | undefined
}
