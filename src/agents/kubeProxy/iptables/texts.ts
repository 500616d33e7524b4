import type { Language } from '../../../text/language.js'
import { serviceTexts } from '../serviceTexts.js'

const english = {
  ...serviceTexts.en,
  title: (iptables: string) => `${iptables}, with packet counts`,
  extra: 'kube-proxy did not write this rule',
  foreign: 'written by another program',
  /** Jumps, by their target; `filteredServices` are those to KUBE-SERVICES of table filter. */
  jumps: {
    services: 'matches Service destinations; evaluated once per connection, then conntrack takes over',
    filteredServices: 'rejects or drops packets to cluster IPs without an endpoint that this node may use',
    postrouting: 'masquerades marked packets, which leave with this node’s address as their source',
    nodePorts: 'accepts load balancers’ health checks, whatever the policy of INPUT',
    forward: 'drops invalid packets; forwards Service traffic, whatever the policy of FORWARD',
    kubeletFirewall: 'drops packets to 127.0.0.0/8 whose source is not in it',
    externalServices:
      'rejects or drops packets to external addresses and node ports without an endpoint that this node may use',
    proxyFirewall:
      'drops packets to load balancers’ addresses that were not DNATed because the client is outside loadBalancerSourceRanges',
  },
  markForMasquerade: 'marks the packet; KUBE-POSTROUTING masquerades marked packets',
  markForDrop: 'marks the packet; KUBE-FIREWALL, which kubelet writes, drops marked packets',
  postroutingUnmarked: 'not marked: kube-proxy does not masquerade it',
  postroutingUnmark: 'clears the mark, so that the packet is not masqueraded twice',
  postroutingMasquerade: 'rewrites the source to this node’s address, so that replies return here',
  forwardInvalid: 'invalid for conntrack: if forwarded, it could reset a DNATed connection',
  forwardMarked: 'marked Service traffic is forwarded, whatever the policy of FORWARD',
  forwardEstablished: 'forwards packets of established connections, in both directions',
  localnetFirewall:
    'route_localnet is on for iptables.localhostNodePorts; other hosts must not reach 127.0.0.0/8',
  nodePorts: 'not a Service address: possibly a node port, on any address of this node',
  nodePortsOnAddresses: 'not a Service address: possibly a node port, on an address in nodePortAddresses',
  clusterIP: 'spec.clusterIP: sent to one of the endpoints',
  clusterIPLocal: 'spec.clusterIP; internalTrafficPolicy Local keeps it on this node',
  externalIP: 'spec.externalIPs: traffic to this address belongs to the Service',
  loadBalancerIP: 'status.loadBalancer.ingress: traffic to this address belongs to the Service',
  loadBalancerIPWithRanges:
    'status.loadBalancer.ingress; loadBalancerSourceRanges decides which clients may connect',
  nodePort: 'spec.ports[].nodePort: on the node’s own addresses',
  nodePortLocalhost: 'spec.ports[].nodePort through localhost, counted separately for a kube-proxy metric',
  healthCheckNodePort:
    'spec.healthCheckNodePort: the load balancer checks here whether this node has endpoints',
  noEndpoints: 'no usable endpoint: rejected immediately instead of timing out',
  noLocalEndpoints: (policy: string) =>
    `only other nodes have endpoints, and ${policy} Local does not allow them: dropped`,
  outsideSourceRanges: 'not in loadBalancerSourceRanges (otherwise already DNATed): dropped',
  masqueradeClusterIP: 'not from the pod network: masqueraded, so that replies return through this node',
  masqueradeAll: 'masqueradeAll: all traffic to the cluster IP is masqueraded',
  podToExternal: 'from the pod network: treated as traffic inside the cluster, to any endpoint',
  masqueradeNodeToExternal: 'from the node itself: masqueraded, because the endpoint may be on another node',
  nodeToExternal: 'from the node itself: to any endpoint',
  sourceRange: 'spec.loadBalancerSourceRanges: this range may connect',
  sourceRangeNode:
    'the node is in an allowed range; if the address is bound on the node, its packets have it as source',
  sourceRangeRest: 'all others reach KUBE-PROXY-FIREWALL and are dropped (this rule only has the comment)',
  loadBalancing: (endpoints: number) => `a random choice of ${endpoints} remaining endpoints`,
  loadBalancingLast: 'the last endpoint gets all remaining connections',
  endpointWithAffinity: 'records the client (sessionAffinity) and DNATs to the endpoint',
}

type IptablesTexts = typeof english

const korean: IptablesTexts = {
  ...serviceTexts.ko,
  title: (iptables) => `${iptables}, 패킷 카운터 포함`,
  extra: 'kube-proxy가 작성하지 않은 규칙입니다',
  foreign: '다른 프로그램이 작성한 규칙입니다',
  jumps: {
    services:
      '서비스의 목적지와 일치하는지 확인합니다. 연결마다 한 번만 평가되고, 그 뒤로는 연결 추적(conntrack)이 처리합니다',
    filteredServices:
      '이 노드가 사용할 수 있는 엔드포인트가 없는 클러스터 IP로 가는 패킷을 거부하거나 버립니다',
    postrouting: '마크된 패킷을 마스커레이드합니다. 패킷은 이 노드의 주소를 출발지로 하여 나갑니다',
    nodePorts: 'INPUT의 정책과 상관없이 로드 밸런서의 헬스 체크를 허용합니다',
    forward: '유효하지 않은 패킷은 버리고, FORWARD의 정책과 상관없이 서비스 트래픽을 포워딩합니다',
    kubeletFirewall: '출발지가 127.0.0.0/8 밖이고 목적지가 127.0.0.0/8인 패킷을 버립니다',
    externalServices:
      '이 노드가 사용할 수 있는 엔드포인트가 없는 외부 주소와 노드포트로 가는 패킷을 거부하거나 버립니다',
    proxyFirewall:
      '클라이언트가 loadBalancerSourceRanges에 속하지 않아 DNAT되지 않은, 로드 밸런서의 주소로 가는 패킷을 버립니다',
  },
  markForMasquerade: '패킷에 마크를 붙입니다. KUBE-POSTROUTING이 마크된 패킷을 마스커레이드합니다',
  markForDrop: '패킷에 마크를 붙입니다. kubelet이 작성하는 KUBE-FIREWALL이 마크된 패킷을 버립니다',
  postroutingUnmarked: '마크가 없으므로 kube-proxy가 마스커레이드하지 않습니다',
  postroutingUnmark: '패킷이 두 번 마스커레이드되지 않도록 마크를 지웁니다',
  postroutingMasquerade: '응답이 이 노드로 돌아오도록 출발지를 이 노드의 주소로 바꿉니다',
  forwardInvalid:
    '연결 추적에서 유효하지 않은 패킷(INVALID)입니다. 포워딩하면 DNAT된 연결이 리셋될 수 있습니다',
  forwardMarked: 'FORWARD의 정책과 상관없이 마크된 서비스 트래픽을 포워딩합니다',
  forwardEstablished: '이미 맺어진 연결의 패킷을 양방향 모두 포워딩합니다',
  localnetFirewall:
    'iptables.localhostNodePorts 때문에 route_localnet이 켜져 있습니다. 다른 호스트는 127.0.0.0/8에 접속할 수 없어야 합니다',
  nodePorts: '서비스 주소가 아닙니다. 이 노드의 주소에 열린 노드포트일 수 있습니다',
  nodePortsOnAddresses:
    '서비스 주소가 아닙니다. nodePortAddresses에 속하는 주소에 열린 노드포트일 수 있습니다',
  clusterIP: 'spec.clusterIP: 엔드포인트 중 하나로 보냅니다',
  clusterIPLocal: 'spec.clusterIP. internalTrafficPolicy가 Local이므로 이 노드 안에서 처리합니다',
  externalIP: 'spec.externalIPs: 이 주소로 가는 트래픽은 서비스에 속합니다',
  loadBalancerIP: 'status.loadBalancer.ingress: 이 주소로 가는 트래픽은 서비스에 속합니다',
  loadBalancerIPWithRanges:
    'status.loadBalancer.ingress. 접속할 수 있는 클라이언트는 loadBalancerSourceRanges가 정합니다',
  nodePort: 'spec.ports[].nodePort: 노드 자신의 주소',
  nodePortLocalhost: '로컬호스트를 거친 spec.ports[].nodePort. kube-proxy 메트릭을 위해 따로 셉니다',
  healthCheckNodePort:
    'spec.healthCheckNodePort: 로드 밸런서가 이 노드에 엔드포인트가 있는지 여기서 확인합니다',
  noEndpoints: '사용할 수 있는 엔드포인트가 없으므로, 타임아웃되지 않도록 즉시 거부합니다',
  noLocalEndpoints: (policy) =>
    `엔드포인트가 다른 노드에만 있고 ${policy} Local이 이를 허용하지 않으므로 버립니다`,
  outsideSourceRanges: 'loadBalancerSourceRanges에 속하지 않으므로(속하면 이미 DNAT됨) 버립니다',
  masqueradeClusterIP:
    '파드 네트워크에서 온 패킷이 아닙니다. 응답이 이 노드를 거쳐 돌아오도록 마스커레이드합니다',
  masqueradeAll: 'masqueradeAll: 클러스터 IP로 가는 모든 트래픽을 마스커레이드합니다',
  podToExternal:
    '파드 네트워크에서 온 패킷입니다. 클러스터 내부 트래픽으로 보고 모든 엔드포인트 중 하나로 보냅니다',
  masqueradeNodeToExternal:
    '노드 자신이 보낸 패킷입니다. 엔드포인트가 다른 노드에 있을 수 있으므로 마스커레이드합니다',
  nodeToExternal: '노드 자신이 보낸 패킷을 모든 엔드포인트 중 하나로 보냅니다',
  sourceRange: 'spec.loadBalancerSourceRanges: 이 범위에서 접속할 수 있습니다',
  sourceRangeNode:
    '노드가 허용된 범위에 속합니다. 이 주소가 노드에 할당되어 있으면 노드의 패킷은 이 주소를 출발지로 사용합니다',
  sourceRangeRest: '나머지는 KUBE-PROXY-FIREWALL에 도달하여 버려집니다(이 규칙은 주석을 위해서만 있습니다)',
  loadBalancing: (endpoints) => `남은 엔드포인트 ${endpoints}개 중 하나를 무작위로 선택합니다`,
  loadBalancingLast: '마지막 엔드포인트가 나머지 연결을 모두 받습니다',
  endpointWithAffinity: '클라이언트를 기록하고(sessionAffinity) 엔드포인트로 DNAT합니다',
}

/** Texts about the rules of mode iptables, by language. */
export const iptablesTexts: Readonly<Record<Language, IptablesTexts>> = { en: english, ko: korean }
