import type { Phrases } from '../../text/phrasebook.js'

/** How two clusters, or two kube-proxies, differ in who reaches what. */
export const comparisons: Phrases = {
  before: '이전',
  after: '이후',
  known: '알려짐',
  of: '서비스',
  'no request ends differently': '다르게 끝나는 요청이 없습니다',
  '{count} {requests} of {all} {end} differently:': '요청 {all}개 중 {count}개가 다르게 끝납니다:',
  '1 request': '요청 1개',
  '{count} requests': '요청 {count}개',
  'between these versions:': '두 버전 사이의 변경:',
  'no: upstream documents no such difference': '아니요. 업스트림 문서에 이런 차이가 없습니다',
  'does not exist': '없음',
  // what differs
  receivers: '수신자',
  shares: '비율',
  'client address': '클라이언트 주소',
  error: '오류',
  affinity: '어피니티',
  exists: '존재 여부',
  '{ends!}, and the next connections too': '{ends!}. 다음 연결도 같은 곳으로 갑니다',
  '{ends!}, and any of them next': '{ends!}. 다음 연결은 그중 어느 곳으로든 갑니다',
  'from {senders!} to {where!}': '{senders!} → {where!}',
  'from {senders!} to {where!}: {count} {services} {differ}':
    '{senders!} → {where!}: 서비스 {count}개가 다릅니다',
  '{sender!}, arrives at {node}': '{sender!}, {node}에 도착',
  pods: '파드',
  nodes: '노드',
  'endpoints of the Service': '서비스의 엔드포인트',
  '{where!} over UDP': '{where!}(UDP)',
  '{where!} of policy Local': '{where!}(정책 Local)',
  'cluster IPs': '클러스터 IP',
  'node ports': '노드포트',
  'node ports on loopback': '루프백의 노드포트',
  'node ports on other addresses of nodes': '노드의 다른 주소의 노드포트',
  'external IPs': '외부 IP',
  'addresses of load balancers': '로드 밸런서의 주소',
  'health check node ports': '헬스 체크 노드포트',
  'ports of cluster IPs that no Service has': '서비스에 없는 클러스터 IP의 포트',
  'cluster IPs that no Service has': '어느 서비스에도 없는 클러스터 IP',
  'host ports': '호스트 포트',
  // what is known of modes
  'node ports on 127.0.0.1 exist only in mode iptables, with iptables.localhostNodePorts':
    '127.0.0.1의 노드포트는 iptables 모드에서 iptables.localhostNodePorts를 설정했을 때만 동작합니다',
  'mode nftables serves node ports on the primary addresses of nodes only, unless nodePortAddresses has others':
    'nftables 모드에서는 nodePortAddresses에 다른 주소가 없으면 노드포트가 노드의 기본 주소에서만 동작합니다',
  'mode iptables drops packets in conntrack state INVALID, mode nftables does not':
    'iptables 모드는 conntrack 상태가 INVALID인 패킷을 버리고, nftables 모드는 버리지 않습니다',
  'mode nftables rejects packets to a cluster IP that are for no port of a Service, ICMP too; mode iptables lets them follow the default route; in mode ipvs the node answers':
    '클러스터 IP로 가지만 서비스의 포트로 가는 것이 아닌 패킷(ICMP 포함)을 nftables 모드는 거부하고, iptables 모드는 기본 경로로 보내며, ipvs 모드에서는 노드가 응답합니다',
  'mode nftables rejects packets to a port of a cluster IP that no Service has; mode iptables lets them follow the default route; in mode ipvs the node refuses them':
    '클러스터 IP에서 서비스에 없는 포트로 가는 패킷을 nftables 모드는 거부하고, iptables 모드는 기본 경로로 보내며, ipvs 모드에서는 노드가 연결을 거부합니다',
  'mode nftables drops packets to addresses of the ServiceCIDR that no Service has (from 1.33); other modes let them follow the default route':
    'ServiceCIDR에서 어느 서비스에도 없는 주소로 가는 패킷을 nftables 모드는 버리고(1.33부터), 다른 모드는 기본 경로로 보냅니다',
  'a Service without endpoints is refused by REJECT in some modes, and by DROP or by no rule in others':
    '엔드포인트가 없는 서비스의 요청을 어떤 모드는 REJECT로 거부하고, 어떤 모드는 DROP으로 버리거나 규칙을 두지 않습니다',
  'masqueradeAll is a setting of its own in mode nftables (nftables.masqueradeAll); modes iptables and ipvs have iptables.masqueradeAll':
    'masqueradeAll은 nftables 모드에서는 별도의 설정(nftables.masqueradeAll)이고, iptables 모드와 ipvs 모드에서는 iptables.masqueradeAll입니다',
  'mode iptables accepts packets for node ports and packets that it masquerades or tracks before a firewall of iptables drops them; mode nftables cannot: the firewall must accept them':
    'iptables 모드는 노드포트의 패킷과 마스커레이드하거나 추적하는 패킷을 iptables 방화벽이 버리기 전에 허용하지만, nftables 모드는 그렇게 할 수 없으므로 방화벽에서 허용해야 합니다',
  'mode userspace serves one IP family': 'userspace 모드는 IP 패밀리 하나만 지원합니다',
  'the modes note the endpoint of a client in different ways (recent, a set, IPVS persistence)':
    '클라이언트의 엔드포인트를 기억하는 방법이 모드마다 다릅니다(recent, 집합, IPVS persistence)',
  'endpoints that terminate are used if no other is left, from version 1.26':
    '1.26부터는 다른 엔드포인트가 없으면 종료 중인 엔드포인트를 사용합니다',
  'which kube-proxies serve healthCheckNodePort, and on which addresses, depends on mode and nodePortAddresses':
    '어느 kube-proxy가 어느 주소에서 healthCheckNodePort에 응답하는지는 모드와 nodePortAddresses에 따라 다릅니다',
  'in mode ipvs the addresses of Services are local to every node':
    'ipvs 모드에서는 서비스의 주소가 모든 노드의 로컬 주소입니다',
  'in mode userspace a process of kube-proxy relays connections: the pod sees the node as client':
    'userspace 모드에서는 kube-proxy의 프로세스가 연결을 중계하므로, 파드에는 노드가 클라이언트로 보입니다',
  'rules of other programs see packets before or after those of kube-proxy, which depends on the mode':
    '다른 프로그램의 규칙이 kube-proxy의 규칙보다 먼저 평가되는지 나중에 평가되는지는 모드에 따라 다릅니다',
  // what is known of versions
  'refused packets are marked by KUBE-MARK-DROP, and dropped in filter KUBE-FIREWALL':
    '거부할 패킷을 KUBE-MARK-DROP에서 마크하고 filter KUBE-FIREWALL에서 버립니다',
  'a KUBE-FW- chain ends with a comment that names KUBE-PROXY-FIREWALL':
    'KUBE-FW- 체인의 마지막 규칙에 KUBE-PROXY-FIREWALL을 언급하는 주석이 있습니다',
  'kube-proxy writes the rule of kubelet’s KUBE-FIREWALL too':
    'kubelet의 KUBE-FIREWALL 규칙을 kube-proxy도 작성합니다',
  'iptables.localhostNodePorts; no node ports on ::1':
    'iptables.localhostNodePorts 추가. ::1의 노드포트는 없습니다',
  'node ports have rules even if no address is in nodePortAddresses':
    'nodePortAddresses에 속하는 주소가 없어도 노드포트의 규칙이 있습니다',
  'no DROP of packets in state INVALID if nf_conntrack_tcp_be_liberal is set; conntrack.tcpBeLiberal':
    'nf_conntrack_tcp_be_liberal이 설정되어 있으면 INVALID 상태의 패킷을 DROP하지 않습니다. conntrack.tcpBeLiberal 추가',
  'INVALID packets and node ports on localhost are counted by nfacct objects':
    'INVALID 패킷과 localhost의 노드포트 패킷 수를 nfacct 오브젝트로 셉니다',
  'the checks of endpoints and cluster IPs are at priority filter, after DNAT':
    '엔드포인트와 클러스터 IP의 검사가 filter 우선순위에서, DNAT 뒤에 이루어집니다',
  'packets to unallocated cluster IPs are dropped, as ServiceCIDRs are watched':
    'ServiceCIDR을 감시하므로, 할당되지 않은 클러스터 IP로 가는 패킷을 버립니다',
  'the rule that masquerades traffic to a cluster IP matches the port too':
    '클러스터 IP로 가는 트래픽을 마스커레이드하는 규칙이 포트도 확인합니다',
  'no chain mark-for-masquerade; endpoints without chains; the set hairpin-connections':
    'mark-for-masquerade 체인이 없고, 엔드포인트마다 있던 체인이 없으며, hairpin-connections 집합이 있습니다',
  'comments have at most 128 bytes; before, nft rejects every rule':
    '주석의 길이가 최대 128바이트입니다. 이전에는 더 길면 nft가 모든 규칙을 거부했습니다',
  'endpoints that terminate and still serve are used if no other is left (ProxyTerminatingEndpoints)':
    '다른 엔드포인트가 없으면 종료 중이지만 아직 응답하는 엔드포인트를 사용합니다(ProxyTerminatingEndpoints)',
  'externalTrafficPolicy applies to externalIPs of Services of type ClusterIP':
    'externalTrafficPolicy가 ClusterIP 타입인 서비스의 externalIPs에도 적용됩니다',
  'addresses of load balancers with ipMode Proxy get no rules (LoadBalancerIPMode)':
    'ipMode가 Proxy인 로드 밸런서의 주소에는 규칙이 없습니다(LoadBalancerIPMode)',
  'hints of EndpointSlices are used only for Services with the annotation topology-mode':
    '엔드포인트슬라이스의 힌트를 topology-mode 어노테이션이 있는 서비스에만 사용합니다',
  'every value of the annotation but disabled enables hints; before, only auto':
    '어노테이션의 값이 `disabled`만 아니면 힌트를 사용합니다. 이전에는 `auto`일 때만 사용했습니다',
  'hints for nodes are used (PreferSameTrafficDistribution)':
    '노드에 대한 힌트를 사용합니다(PreferSameTrafficDistribution)',
  'a range 0.0.0.0/0 in loadBalancerSourceRanges means that there is no restriction':
    'loadBalancerSourceRanges에 0.0.0.0/0 범위가 있으면 제한이 없다는 뜻입니다',
  'Services with a cluster IP are watched even if they have the label service.kubernetes.io/headless':
    'service.kubernetes.io/headless 레이블이 있어도 클러스터 IP가 있으면 서비스를 감시합니다',
  'no full sync each hour (modes iptables and nftables): rules that others deleted stay away':
    '한 시간마다 하던 전체 동기화가 없습니다(iptables 모드와 nftables 모드). 다른 프로그램이 지운 규칙은 다시 생기지 않습니다',
  'no full sync each hour above 1,000 endpoints (mode iptables)':
    '엔드포인트가 1,000개보다 많으면 한 시간마다 하던 전체 동기화가 없습니다(iptables 모드)',
  'conntrack entries of a UDP Service stay when its last serving endpoint is removed':
    'UDP 서비스의 마지막 엔드포인트가 제거되어도 conntrack 항목이 남습니다',
  'a warning when the mode is not set, because the default will change to nftables':
    '기본 모드가 nftables로 바뀔 예정이므로, 모드를 설정하지 않으면 경고합니다',
  'nodePortAddresses may mix primary, localhost, all and CIDRs':
    'nodePortAddresses에 `primary`, `localhost`, `all`과 CIDR을 섞어 쓸 수 있습니다',
}
