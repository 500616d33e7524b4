import type { Language } from '../../../text/language.js'
import type { Reason } from '../iptables/reason.js'

const keepSource = 'externalTrafficPolicy Local: the client’s address is preserved'

const english = {
  markServices: 'marks Service traffic to masquerade; IPVS picks the endpoint later',
  firewallInput:
    'loadBalancerSourceRanges: Service addresses are local in this mode, so their packets pass INPUT',
  firewallForward: 'loadBalancerSourceRanges, for addresses that are not on this node',
  filterInput: 'Service addresses are local, so the node’s own processes would answer on other ports',
  filterOutput: 'loadBalancerSourceRanges also apply to the node itself',
  masqueradeMarked: 'masquerades marked packets, which leave with this node’s address as their source',
  forward: 'forwards Service traffic, whatever the policy of FORWARD',
  healthChecks: 'accepts load balancers’ health checks, whatever the policy of INPUT',
  loopback: 'Services are not served on loopback',
  loadBalancer: 'status.loadBalancer.ingress: checks whether to masquerade',
  loadBalancerLocal: keepSource,
  nodePortLocal: keepSource,
  nodePortMasquerade: 'a node port: masqueraded, because the endpoint may be on another node',
  masqueradeAll: 'masqueradeAll: all traffic to a cluster IP is masqueraded',
  fromServiceAddress:
    'from the Service’s own address, as sent by the node’s processes: masqueraded, otherwise replies are lost',
  externalIPMasquerade: 'spec.externalIPs: masqueraded, because the endpoint may be on another node',
  externalIPFromOutside: 'from outside, not from a pod behind a bridge: no further iptables NAT',
  externalIPHere: 'the external IP is on this node: no further iptables NAT',
  maybeNodePort: 'possibly a node port of this node',
  loadBalancerMasquerade: 'masqueraded, because the endpoint may be on another node',
  leftToIpvs: 'Service traffic: no further iptables NAT, IPVS does it',
  hasSourceRanges: 'this load balancer has loadBalancerSourceRanges',
  allOthers: 'all others are dropped',
  nodeOutsideSourceRanges: 'the node is not in loadBalancerSourceRanges',
  servedPort: 'a port of a Service',
  otherPort:
    'a Service address, but not one of its ports (also ping): rejected, so that the node’s own processes do not answer',
}

type IpvsRuleTexts = typeof english

const keepsSource = 'externalTrafficPolicy Local: 클라이언트의 주소를 유지합니다'

const korean: IpvsRuleTexts = {
  markServices: '마스커레이드할 서비스 트래픽에 마크를 붙입니다. 엔드포인트는 나중에 IPVS가 선택합니다',
  firewallInput:
    'loadBalancerSourceRanges: 이 모드에서 서비스 주소는 로컬 주소이므로 패킷이 INPUT을 지납니다',
  firewallForward: 'loadBalancerSourceRanges. 이 노드에 없는 주소에 적용됩니다',
  filterInput: '서비스 주소가 로컬 주소이므로, 다른 포트에서는 노드 자신의 프로세스가 응답할 수 있습니다',
  filterOutput: 'loadBalancerSourceRanges는 노드 자신에도 적용됩니다',
  masqueradeMarked: '마크된 패킷을 마스커레이드합니다. 패킷은 이 노드의 주소를 출발지로 하여 나갑니다',
  forward: 'FORWARD의 정책과 상관없이 서비스 트래픽을 포워딩합니다',
  healthChecks: 'INPUT의 정책과 상관없이 로드 밸런서의 헬스 체크를 허용합니다',
  loopback: '루프백에서는 서비스를 제공하지 않습니다',
  loadBalancer: 'status.loadBalancer.ingress: 마스커레이드할지 확인합니다',
  loadBalancerLocal: keepsSource,
  nodePortLocal: keepsSource,
  nodePortMasquerade: '노드포트입니다. 엔드포인트가 다른 노드에 있을 수 있으므로 마스커레이드합니다',
  masqueradeAll: 'masqueradeAll: 클러스터 IP로 가는 모든 트래픽을 마스커레이드합니다',
  fromServiceAddress:
    '노드의 프로세스가 서비스 자신의 주소를 출발지로 보낸 패킷입니다. 마스커레이드하지 않으면 응답이 유실됩니다',
  externalIPMasquerade: 'spec.externalIPs: 엔드포인트가 다른 노드에 있을 수 있으므로 마스커레이드합니다',
  externalIPFromOutside:
    '브리지 뒤의 파드가 아닌 외부에서 온 패킷입니다. iptables에서 더 이상 NAT하지 않습니다',
  externalIPHere: '외부 IP가 이 노드에 있습니다. iptables에서 더 이상 NAT하지 않습니다',
  maybeNodePort: '이 노드의 노드포트일 수 있습니다',
  loadBalancerMasquerade: '엔드포인트가 다른 노드에 있을 수 있으므로 마스커레이드합니다',
  leftToIpvs: '서비스 트래픽입니다. iptables가 아니라 IPVS가 NAT합니다',
  hasSourceRanges: '이 로드 밸런서에는 loadBalancerSourceRanges가 있습니다',
  allOthers: '나머지는 모두 버립니다',
  nodeOutsideSourceRanges: '노드가 loadBalancerSourceRanges에 속하지 않습니다',
  servedPort: '서비스의 포트입니다',
  otherPort:
    '서비스 주소이지만 서비스에 없는 포트입니다(ping 포함). 노드 자신의 프로세스가 응답하지 않도록 거부합니다',
}

/** Explanations of iptables rules that only mode ipvs has, by language. */
export const ipvsRuleTexts: Readonly<Record<Language, IpvsRuleTexts>> = { en: english, ko: korean }

/** Why mode ipvs writes an iptables rule: a reason of its own, or one that mode iptables has too. */
export type IpvsReason = keyof IpvsRuleTexts | Reason
