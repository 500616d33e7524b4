import type { Language } from '../../../text/language.js'
import { serviceTexts } from '../serviceTexts.js'

const english = {
  ...serviceTexts.en,
  title: (table: string) => `table ${table} of nftables, which has no counters`,
  extra: 'kube-proxy did not write this',
  jumps: {
    firewallCheck:
      'drops, before DNAT, packets to load balancers’ addresses from clients outside loadBalancerSourceRanges',
    nodePortEndpointsCheck: 'rejects or drops packets to node ports without a usable endpoint',
    serviceEndpointsCheck: 'rejects or drops packets to Service addresses without a usable endpoint',
    clusterIPsCheck: 'handles traffic to cluster IPs that has not been DNATed',
    services: 'matches Service destinations; evaluated once per connection, then conntrack takes over',
    masquerading: 'masquerades marked packets, and those of pods that call themselves through a Service',
  },
  nodePortEndpointsCheck: 'a node port without a usable endpoint: rejected or dropped, as the map specifies',
  serviceEndpointsCheck:
    'an address and port without a usable endpoint: rejected or dropped, as the map specifies',
  firewallCheck: 'a load balancer’s address with restricted source ranges',
  masqueradeAll: 'masqueradeAll: all traffic to a cluster IP is masqueraded',
  masqueradeOutside: 'not from the pod network: masqueraded, so that replies return through this node',
  serviceIPs: 'one lookup finds the Service by address and port, however many Services there are',
  nodePorts: 'to an address of this node: one lookup finds the Service by node port',
  markForMasquerade: 'marks the packet; the chain masquerading masquerades marked packets',
  unmarked: 'not marked: kube-proxy does not masquerade it',
  unmark: 'clears the mark, so that the packet is not masqueraded twice',
  masqueradeMarked: 'clears the mark and rewrites the source to this node’s address',
  invalidPorts: 'a Service’s address, but not one of its ports (those are already DNATed): rejected',
  unallocated: 'a cluster IP that belongs to no Service: dropped',
  reject: 'rejected with an ICMP message',
  podShortCircuit: 'from the pod network: treated as traffic inside the cluster, to any endpoint',
  masqueradeLocal: 'from the node itself: masqueraded, because the endpoint may be on another node',
  localShortCircuit: 'from the node itself: to any endpoint',
  sourceRanges: 'not in spec.loadBalancerSourceRanges: dropped',
  loadBalancing: (endpoints: number) =>
    endpoints === 1 ? 'the only endpoint' : `a random choice of ${endpoints} endpoints`,
  remember: 'records the client, or renews its record (sessionAffinity)',
  elements: {
    hairpin: 'a pod on this node that connects to itself through its Service is masqueraded',
    serviceAddress: 'spec.clusterIP: traffic to this address that matches no other map is rejected',
    dropped: 'only other nodes have endpoints, and the traffic policy does not allow them: dropped',
    rejected: 'no usable endpoint: rejected immediately instead of timing out',
    sourceRanges: 'spec.loadBalancerSourceRanges decides which clients may connect',
    nodePort: 'spec.ports[].nodePort',
    nodePortAddress: 'an address of this node that accepts node port traffic',
    clusterIP: 'spec.clusterIP: sent to one of the endpoints',
    clusterIPLocal:
      'spec.clusterIP: sent to one of the endpoints; internalTrafficPolicy Local keeps it on this node',
    external: (field: string) => `${field}: traffic to this address belongs to the Service`,
  },
}

type NftTexts = typeof english

const korean: NftTexts = {
  ...serviceTexts.ko,
  title: (table) => `nftables의 테이블 ${table}, 카운터 없음`,
  extra: 'kube-proxy가 작성하지 않았습니다',
  jumps: {
    firewallCheck:
      'loadBalancerSourceRanges에 속하지 않는 클라이언트가 로드 밸런서의 주소로 보낸 패킷을 DNAT 전에 버립니다',
    nodePortEndpointsCheck: '사용할 수 있는 엔드포인트가 없는 노드포트로 가는 패킷을 거부하거나 버립니다',
    serviceEndpointsCheck: '사용할 수 있는 엔드포인트가 없는 서비스 주소로 가는 패킷을 거부하거나 버립니다',
    clusterIPsCheck: 'DNAT되지 않은 채 클러스터 IP로 가는 트래픽을 처리합니다',
    services:
      '서비스의 목적지와 일치하는지 확인합니다. 연결마다 한 번만 평가되고, 그 뒤로는 연결 추적(conntrack)이 처리합니다',
    masquerading: '마크된 패킷과, 서비스를 거쳐 자기 자신을 호출하는 파드의 패킷을 마스커레이드합니다',
  },
  nodePortEndpointsCheck:
    '사용할 수 있는 엔드포인트가 없는 노드포트입니다. 맵에 지정된 대로 거부하거나 버립니다',
  serviceEndpointsCheck:
    '사용할 수 있는 엔드포인트가 없는 주소와 포트입니다. 맵에 지정된 대로 거부하거나 버립니다',
  firewallCheck: '접속할 수 있는 범위가 제한된 로드 밸런서의 주소입니다',
  masqueradeAll: 'masqueradeAll: 클러스터 IP로 가는 모든 트래픽을 마스커레이드합니다',
  masqueradeOutside:
    '파드 네트워크에서 온 패킷이 아닙니다. 응답이 이 노드를 거쳐 돌아오도록 마스커레이드합니다',
  serviceIPs: '서비스가 아무리 많아도 주소와 포트로 한 번만 조회하여 서비스를 찾습니다',
  nodePorts: '이 노드의 주소로 가는 패킷입니다. 노드포트로 한 번만 조회하여 서비스를 찾습니다',
  markForMasquerade: '패킷에 마크를 붙입니다. masquerading 체인이 마크된 패킷을 마스커레이드합니다',
  unmarked: '마크가 없으므로 kube-proxy가 마스커레이드하지 않습니다',
  unmark: '패킷이 두 번 마스커레이드되지 않도록 마크를 지웁니다',
  masqueradeMarked: '마크를 지우고 출발지를 이 노드의 주소로 바꿉니다',
  invalidPorts: '서비스의 주소이지만 서비스에 없는 포트입니다(있는 포트는 이미 DNAT됨). 거부합니다',
  unallocated: '어느 서비스에도 속하지 않는 클러스터 IP이므로 버립니다',
  reject: 'ICMP 메시지로 거부합니다',
  podShortCircuit:
    '파드 네트워크에서 온 패킷입니다. 클러스터 내부 트래픽으로 보고 모든 엔드포인트 중 하나로 보냅니다',
  masqueradeLocal:
    '노드 자신이 보낸 패킷입니다. 엔드포인트가 다른 노드에 있을 수 있으므로 마스커레이드합니다',
  localShortCircuit: '노드 자신이 보낸 패킷을 모든 엔드포인트 중 하나로 보냅니다',
  sourceRanges: 'spec.loadBalancerSourceRanges에 속하지 않으므로 버립니다',
  loadBalancing: (endpoints) =>
    endpoints === 1
      ? '하나뿐인 엔드포인트로 보냅니다'
      : `엔드포인트 ${endpoints}개 중 하나를 무작위로 선택합니다`,
  remember: '클라이언트를 기록하거나 기록을 갱신합니다(sessionAffinity)',
  elements: {
    hairpin: '서비스를 통해 자기 자신에 접속하는 이 노드의 파드를 마스커레이드합니다',
    serviceAddress: 'spec.clusterIP: 이 주소로 가지만 다른 맵과 일치하지 않는 트래픽을 거부합니다',
    dropped: '엔드포인트가 다른 노드에만 있고 트래픽 정책이 이를 허용하지 않으므로 버립니다',
    rejected: '사용할 수 있는 엔드포인트가 없으므로, 타임아웃되지 않도록 즉시 거부합니다',
    sourceRanges: '접속할 수 있는 클라이언트는 spec.loadBalancerSourceRanges가 정합니다',
    nodePort: 'spec.ports[].nodePort: 노드포트로 가는 트래픽은 서비스에 속합니다',
    nodePortAddress: '노드포트 트래픽을 받는 이 노드의 주소입니다',
    clusterIP: 'spec.clusterIP: 엔드포인트 중 하나로 보냅니다',
    clusterIPLocal:
      'spec.clusterIP: 엔드포인트 중 하나로 보냅니다. internalTrafficPolicy가 Local이므로 이 노드 안에서 처리합니다',
    external: (field) => `${field}: 이 주소로 가는 트래픽은 서비스에 속합니다`,
  },
}

/** Texts about the rules and elements of mode nftables, by language. */
export const nftTexts: Readonly<Record<Language, NftTexts>> = { en: english, ko: korean }
