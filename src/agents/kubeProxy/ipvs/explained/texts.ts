import type { Language } from '../../../../text/language.js'

const keepsSource = 'externalTrafficPolicy Local: not masqueraded, the client’s address is preserved'
const masqueraded = 'masqueraded, because the endpoint may be on another node'

const english = {
  device: 'always down, but its addresses are local to the node',
  boundAddress: 'makes the address local to this node, so that IPVS receives its packets',
  endpoint: 'a ready endpoint',
  noEndpoint: 'no endpoint: the next sync removes it',
  draining: (connections: number) =>
    `no longer an endpoint: no new connections, open ones continue; connections: ${connections}`,
  unused: 'no Service uses it: the next sync removes it',
  unusedServer: 'no Service uses it: the next sync removes it, unless it is in ipvs.excludeCIDRs',
  title: (iptables: string) => `virtual servers with their connections, ${iptables}`,
  sets: {
    'KUBE-LOOP-BACK': 'pods on this node that may connect to themselves',
    'KUBE-CLUSTER-IP': 'cluster IPs and their ports',
    'KUBE-EXTERNAL-IP': 'external IPs and their ports',
    'KUBE-EXTERNAL-IP-LOCAL': 'external IPs with externalTrafficPolicy Local',
    'KUBE-LOAD-BALANCER': 'load balancers’ addresses and ports',
    'KUBE-LOAD-BALANCER-FW': 'load balancers with source ranges',
    'KUBE-LOAD-BALANCER-LOCAL': 'load balancers with externalTrafficPolicy Local',
    'KUBE-LOAD-BALANCER-SOURCE-IP': 'load balancers that this node may use',
    'KUBE-LOAD-BALANCER-SOURCE-CIDR': 'clients that may use a load balancer',
    'KUBE-NODE-PORT-TCP': 'node ports of TCP',
    'KUBE-NODE-PORT-LOCAL-TCP': 'node ports of TCP with externalTrafficPolicy Local',
    'KUBE-NODE-PORT-UDP': 'node ports of UDP',
    'KUBE-NODE-PORT-LOCAL-UDP': 'node ports of UDP with externalTrafficPolicy Local',
    'KUBE-NODE-PORT-SCTP-HASH': 'node ports of SCTP',
    'KUBE-NODE-PORT-LOCAL-SCTP-HASH': 'node ports of SCTP with externalTrafficPolicy Local',
    'KUBE-HEALTH-CHECK-NODE-PORT': 'health check ports of load balancers',
    'KUBE-IPVS-IPS': 'the addresses of kube-ipvs0',
  },
  /** Why an entry is in a set: what the rules that match the set do. */
  entries: {
    'KUBE-LOOP-BACK': 'masqueraded when IPVS picks the pod that sent the request',
    'KUBE-CLUSTER-IP':
      'spec.clusterIP: accepted, and masqueraded unless the configuration treats the client as a pod',
    'KUBE-EXTERNAL-IP': `spec.externalIPs: accepted, and ${masqueraded}`,
    'KUBE-EXTERNAL-IP-LOCAL': `spec.externalIPs: accepted; ${keepsSource}`,
    'KUBE-LOAD-BALANCER':
      'status.loadBalancer.ingress: accepted, and masqueraded unless it is in KUBE-LOAD-BALANCER-LOCAL',
    'KUBE-LOAD-BALANCER-FW': 'spec.loadBalancerSourceRanges: only for clients in the next sets',
    'KUBE-LOAD-BALANCER-LOCAL': keepsSource,
    'KUBE-LOAD-BALANCER-SOURCE-IP':
      'the node is in an allowed range and connects from the load balancer’s address',
    'KUBE-LOAD-BALANCER-SOURCE-CIDR': 'spec.loadBalancerSourceRanges: this range may connect',
    'KUBE-NODE-PORT-TCP': `spec.ports[].nodePort: ${masqueraded}`,
    'KUBE-NODE-PORT-LOCAL-TCP': keepsSource,
    'KUBE-NODE-PORT-UDP': `spec.ports[].nodePort: ${masqueraded}`,
    'KUBE-NODE-PORT-LOCAL-UDP': keepsSource,
    'KUBE-NODE-PORT-SCTP-HASH': `spec.ports[].nodePort: ${masqueraded}`,
    'KUBE-NODE-PORT-LOCAL-SCTP-HASH': keepsSource,
    'KUBE-HEALTH-CHECK-NODE-PORT': 'spec.healthCheckNodePort: accepted on any address of the node',
    'KUBE-IPVS-IPS': 'traffic to any other port of this address is rejected',
  },
  /** How each scheduler picks a real server; see ipvsadm(8). */
  schedulers: {
    rr: 'round robin',
    wrr: 'round robin by weight; all weights are equal',
    lc: 'the one with the fewest connections, of which inactive ones hardly count',
    wlc: 'the one with the fewest connections for its weight; all weights are equal',
    lblc: 'the same server for each destination, unless it has too many connections',
    lblcr: 'the least busy of a fixed group for each destination',
    sh: 'by a hash of the client’s address',
    dh: 'by a hash of the destination’s address',
    sed: 'the one with the fewest open connections',
    nq: 'an idle one, otherwise the one with the fewest open connections',
    fo: 'the first with the highest weight',
    ovf: 'the first, until it has as many connections as its weight',
    mh: 'by a hash of the client’s address and port that moves few clients when servers change (Maglev)',
  },
  picks: (scheduler: string, how: string) => `${scheduler} picks ${how}`,
  unknownScheduler: (scheduler: string) => `the kernel picks by ${scheduler}`,
  persistence: (seconds: number) => `; sessionAffinity ClientIP: a client keeps its server for ${seconds} s`,
  policies: {
    rejected: ', no endpoint: rejected',
    local: ', only endpoints on this node',
    notHere: ', no endpoint on this node: uses those on other nodes',
  },
}

type IpvsTexts = typeof english

const keepsAddress = 'externalTrafficPolicy Local: 마스커레이드하지 않으므로 클라이언트의 주소가 유지됩니다'
const masquerades = '엔드포인트가 다른 노드에 있을 수 있으므로 마스커레이드합니다'

const korean: IpvsTexts = {
  device: '한 번도 활성화되지 않지만 주소는 노드의 로컬 주소입니다',
  boundAddress: 'IPVS가 패킷을 받도록 이 주소를 노드의 로컬 주소로 만듭니다',
  endpoint: '준비된 엔드포인트입니다',
  noEndpoint: '엔드포인트가 아닙니다. 다음 동기화에서 제거됩니다',
  draining: (connections) =>
    `더 이상 엔드포인트가 아닙니다. 새 연결은 받지 않고 열려 있는 연결은 계속됩니다. 연결 수: ${connections}`,
  unused: '어느 서비스도 사용하지 않습니다. 다음 동기화에서 제거됩니다',
  unusedServer:
    '어느 서비스도 사용하지 않습니다. ipvs.excludeCIDRs에 속하지 않으면 다음 동기화에서 제거됩니다',
  title: (iptables) => `가상 서버와 연결 수, ${iptables}`,
  sets: {
    'KUBE-LOOP-BACK': '자기 자신에 접속할 수 있는 이 노드의 파드',
    'KUBE-CLUSTER-IP': '클러스터 IP와 포트',
    'KUBE-EXTERNAL-IP': '외부 IP와 포트',
    'KUBE-EXTERNAL-IP-LOCAL': 'externalTrafficPolicy가 Local인 외부 IP',
    'KUBE-LOAD-BALANCER': '로드 밸런서의 주소와 포트',
    'KUBE-LOAD-BALANCER-FW': '허용 범위가 있는 로드 밸런서',
    'KUBE-LOAD-BALANCER-LOCAL': 'externalTrafficPolicy가 Local인 로드 밸런서',
    'KUBE-LOAD-BALANCER-SOURCE-IP': '이 노드가 사용할 수 있는 로드 밸런서',
    'KUBE-LOAD-BALANCER-SOURCE-CIDR': '로드 밸런서를 사용할 수 있는 클라이언트',
    'KUBE-NODE-PORT-TCP': 'TCP 노드포트',
    'KUBE-NODE-PORT-LOCAL-TCP': 'externalTrafficPolicy가 Local인 TCP 노드포트',
    'KUBE-NODE-PORT-UDP': 'UDP 노드포트',
    'KUBE-NODE-PORT-LOCAL-UDP': 'externalTrafficPolicy가 Local인 UDP 노드포트',
    'KUBE-NODE-PORT-SCTP-HASH': 'SCTP 노드포트',
    'KUBE-NODE-PORT-LOCAL-SCTP-HASH': 'externalTrafficPolicy가 Local인 SCTP 노드포트',
    'KUBE-HEALTH-CHECK-NODE-PORT': '로드 밸런서의 헬스 체크 포트',
    'KUBE-IPVS-IPS': 'kube-ipvs0의 주소',
  },
  entries: {
    'KUBE-LOOP-BACK': 'IPVS가 요청을 보낸 파드 자신을 선택하면 마스커레이드합니다',
    'KUBE-CLUSTER-IP':
      'spec.clusterIP: 허용하며, 설정에서 파드로 간주하지 않는 클라이언트라면 마스커레이드합니다',
    'KUBE-EXTERNAL-IP': `spec.externalIPs: 허용하며, ${masquerades}`,
    'KUBE-EXTERNAL-IP-LOCAL': `spec.externalIPs: 허용합니다. ${keepsAddress}`,
    'KUBE-LOAD-BALANCER':
      'status.loadBalancer.ingress: 허용하며, KUBE-LOAD-BALANCER-LOCAL에 없으면 마스커레이드합니다',
    'KUBE-LOAD-BALANCER-FW': 'spec.loadBalancerSourceRanges: 다음 집합에 있는 클라이언트에만 허용합니다',
    'KUBE-LOAD-BALANCER-LOCAL': keepsAddress,
    'KUBE-LOAD-BALANCER-SOURCE-IP': '노드가 허용된 범위에 속하며 로드 밸런서의 주소를 출발지로 접속합니다',
    'KUBE-LOAD-BALANCER-SOURCE-CIDR': 'spec.loadBalancerSourceRanges: 이 범위에서 접속할 수 있습니다',
    'KUBE-NODE-PORT-TCP': `spec.ports[].nodePort: ${masquerades}`,
    'KUBE-NODE-PORT-LOCAL-TCP': keepsAddress,
    'KUBE-NODE-PORT-UDP': `spec.ports[].nodePort: ${masquerades}`,
    'KUBE-NODE-PORT-LOCAL-UDP': keepsAddress,
    'KUBE-NODE-PORT-SCTP-HASH': `spec.ports[].nodePort: ${masquerades}`,
    'KUBE-NODE-PORT-LOCAL-SCTP-HASH': keepsAddress,
    'KUBE-HEALTH-CHECK-NODE-PORT': 'spec.healthCheckNodePort: 노드의 모든 주소에서 허용합니다',
    'KUBE-IPVS-IPS': '이 주소의 다른 포트로 가는 트래픽은 거부합니다',
  },
  schedulers: {
    rr: '차례대로 선택합니다',
    wrr: '가중치에 따라 차례대로 선택합니다(가중치는 모두 같음)',
    lc: '연결이 가장 적은 서버를 선택합니다(비활성 연결은 거의 반영되지 않음)',
    wlc: '가중치에 비해 연결이 가장 적은 서버를 선택합니다(가중치는 모두 같음)',
    lblc: '연결이 너무 많지 않으면 목적지마다 같은 서버를 선택합니다',
    lblcr: '목적지마다 정해진 서버 그룹에서 가장 한가한 서버를 선택합니다',
    sh: '클라이언트 주소의 해시로 선택합니다',
    dh: '목적지 주소의 해시로 선택합니다',
    sed: '열려 있는 연결이 가장 적은 서버를 선택합니다',
    nq: '유휴 서버를, 없으면 열려 있는 연결이 가장 적은 서버를 선택합니다',
    fo: '가중치가 가장 높은 첫 번째 서버를 선택합니다',
    ovf: '연결 수가 가중치와 같아질 때까지 첫 번째 서버를 선택합니다',
    mh: '클라이언트의 주소와 포트의 해시로 선택합니다. 서버가 바뀌어도 다른 서버로 옮겨지는 클라이언트가 적습니다(Maglev)',
  },
  picks: (scheduler, how) => `${scheduler} 스케줄러: ${how}`,
  unknownScheduler: (scheduler) => `커널이 ${scheduler} 스케줄러로 선택합니다`,
  persistence: (seconds) =>
    `. sessionAffinity ClientIP: 클라이언트는 ${seconds}초 동안 같은 서버를 사용합니다`,
  policies: {
    rejected: ', 엔드포인트가 없어 거부',
    local: ', 이 노드의 엔드포인트만 사용',
    notHere: ', 이 노드에 엔드포인트가 없어 다른 노드의 엔드포인트를 사용',
  },
}

/** Texts about addresses, ipsets and virtual servers of mode ipvs, by language. */
export const ipvsTexts: Readonly<Record<Language, IpvsTexts>> = { en: english, ko: korean }
