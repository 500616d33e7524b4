import type { Phrases } from '../../text/phrasebook.js'

/** What `check` finds in a cluster, whichever request is sent. */
export const facts: Phrases = {
  so: '결과',
  node: '노드',
  fails: '실패',
  more: '자세히',
  '1 problem found': '문제 1개를 찾았습니다',
  '{count} problems found': '문제 {count}개를 찾았습니다',
  '{found!}, and 1 note': '{found!}(참고 1개)',
  '{found!}, and {count} notes': '{found!}(참고 {count}개)',
  'and {count} more': '외 {count}개',
  'not decided ({open} of {all} requests):': '결정되지 않음(요청 {all}개 중 {open}개):',
  'known and assumed:': '알려진 것과 가정한 것:',
  'nothing is decided about Services: none is attached, by {command*} or rules of a node':
    '서비스에 대해 결정된 것이 없습니다. {command*}의 출력이나 노드의 규칙이 첨부되지 않았습니다',
  'nothing is decided: no request is known': '결정된 것이 없습니다. 알려진 요청이 없습니다',
  'nothing is decided: none of {all} requests could be predicted to its end':
    '결정된 것이 없습니다. 요청 {all}개 중 끝까지 예측할 수 있는 것이 없습니다',
  'no problems found: {result!}': '문제를 찾지 못했습니다. {result!}',
  'no problems found, and 1 note: {result!}': '문제를 찾지 못했습니다(참고 1개). {result!}',
  'no problems found, and {count} notes: {result!}': '문제를 찾지 못했습니다(참고 {count}개). {result!}',
  '{passed} of {all} requests to cluster IPs, node ports and pods are predicted to pass':
    '클러스터 IP, 노드포트, 파드로 보내는 요청 {all}개 중 {passed}개가 통과로 예측됩니다',
  '{passed} of {all} requests to cluster IPs, node ports and pods are predicted to pass, and policies deny connections of {denied}':
    '클러스터 IP, 노드포트, 파드로 보내는 요청 {all}개 중 {passed}개가 통과로 예측되고, {denied}개는 정책이 연결을 거부합니다',
  '{result!} (not looked at: {ignored*})': '{result!}(확인하지 않은 것: {ignored*})',
  'node ports are called by client {client}, and not by {others*}':
    '노드포트는 클라이언트 {client}만 호출합니다(호출하지 않는 클라이언트: {others*})',
  '{count} more requests fail: only {kinds} kinds of failures are explained':
    '요청 {count}개가 더 실패합니다. 실패는 {kinds}종류까지만 설명합니다',
  'this is the lab with the faults of its exercise, as `vethlab workshop start {name*}` starts it; `vethlab up` starts it without them':
    '`vethlab workshop start {name*}`로 시작할 때처럼 연습 문제의 장애가 포함된 랩입니다. `vethlab up`은 장애 없이 시작합니다',
  '{says!} (the same for {hosts*})': '{says!}({hosts*}도 같음)',
  '{says!} (and {count} more like it)': '{says!}(비슷한 것 {count}개 더 있음)',
  // requests
  'pod {pod} on {node} → {to} (Service {service})': '{node}의 파드 {pod} → {to} (서비스 {service})',
  'node {node} → {to} (Service {service})': '노드 {node} → {to} (서비스 {service})',
  'outside {address} → {to} (node port of Service {service})':
    '외부 {address} → {to} (서비스 {service}의 노드포트)',
  'pod {pod} on {node} → {to} (ping pod {other} on {node2})':
    '{node}의 파드 {pod} → {to} ({node2}의 파드 {other}에 ping)',
  'client {client} → {to} (its route through {node})': '클라이언트 {client} → {to} ({node} 경유 경로)',
  '{place}: {end!}': '{place}: {end!}',
  'pods of {node}: {end!}': '{node}의 파드: {end!}',
  // rules
  'rule {number} of {table*} {chain} on {place} rewrites requests to Service {service} before kube-proxy’s rules: they reach {to}, which is no endpoint of it':
    '{place}의 {table*} {chain}에 있는 {number}번 규칙: kube-proxy의 규칙보다 먼저 서비스 {service}의 요청을 변환합니다. 요청이 도달하는 {to} 주소는 이 서비스의 엔드포인트가 아닙니다',
  'rule {number} of {table*} {chain} on {place} (of {owner*}) rewrites requests to Service {service} before kube-proxy’s rules: they reach {to}, which is no endpoint of it':
    '{place}의 {table*} {chain}에 있는 {number}번 규칙({owner*}): kube-proxy의 규칙보다 먼저 서비스 {service}의 요청을 변환합니다. 요청이 도달하는 {to} 주소는 이 서비스의 엔드포인트가 아닙니다',
  'rule {number} of {table*} {chain} on {place} is removed, or does not match the address of the Service':
    '{place}의 {table*} {chain}에서 {number}번 규칙을 제거하거나, 서비스의 주소와 일치하지 않게 함',
  'requests to Service {service} reach {receiver!} ({address}), which is no endpoint of it: the rules of {node} are older than the endpoints':
    '서비스 {service}의 요청이 이 서비스의 엔드포인트가 아닌 곳({receiver!}, {address})에 도달합니다. {node}의 규칙이 엔드포인트보다 오래되었습니다',
  'kube-proxy writes its rules again': 'kube-proxy가 규칙을 다시 작성',
  'the rules of {node} for Service {service} still send to {endpoints!}, which is no endpoint of it':
    '{node}에 있는 서비스 {service}의 규칙이 더 이상 엔드포인트가 아닌 {endpoints!} 주소로 요청을 보냅니다',
  'the rules of {node} for Service {service} still send to {endpoints!}, which are no endpoints of it':
    '{node}에 있는 서비스 {service}의 규칙이 더 이상 엔드포인트가 아닌 주소로 요청을 보냅니다: {endpoints!}',
  '{sends!}: no pod has the address {addresses*}': '{sends!}. 이 주소를 가진 파드가 없습니다: {addresses*}',
  'the rules of {node} for Service {service} do not send to {endpoints!}, which is an endpoint of it':
    '{node}에 있는 서비스 {service}의 규칙이 이 서비스의 엔드포인트인 {endpoints!} 주소로 요청을 보내지 않습니다',
  'the rules of {node} for Service {service} do not send to {endpoints!}, which are endpoints of it':
    '{node}에 있는 서비스 {service}의 규칙이 이 서비스의 엔드포인트인 주소로 요청을 보내지 않습니다: {endpoints!}',
  '{node} has no rule of kube-proxy for {address} of Service {service}, although it has 1 ready endpoint ({endpoints!})':
    '{node}에 서비스 {service}의 {address} 주소에 대한 kube-proxy의 규칙이 없습니다. 이 서비스에는 준비된 엔드포인트가 1개 있습니다({endpoints!})',
  '{node} has no rule of kube-proxy for {address} of Service {service}, although it has {count} ready endpoints ({endpoints!})':
    '{node}에 서비스 {service}의 {address} 주소에 대한 kube-proxy의 규칙이 없습니다. 이 서비스에는 준비된 엔드포인트가 {count}개 있습니다({endpoints!})',
  'the rules of {node} reject {address} of Service {service}, although it has 1 ready endpoint ({endpoints!})':
    '{node}의 규칙이 서비스 {service}의 {address} 주소로 간 요청을 거부합니다. 이 서비스에는 준비된 엔드포인트가 1개 있습니다({endpoints!})',
  'the rules of {node} reject {address} of Service {service}, although it has {count} ready endpoints ({endpoints!})':
    '{node}의 규칙이 서비스 {service}의 {address} 주소로 간 요청을 거부합니다. 이 서비스에는 준비된 엔드포인트가 {count}개 있습니다({endpoints!})',
  '{node} has no rules of kube-proxy for {family}: no cluster IP and no node port is served there':
    '{node}에 {family}에 대한 kube-proxy의 규칙이 없습니다. 여기서는 클러스터 IP도 노드포트도 동작하지 않습니다',
  '{node} has rules for Service {service}, which does not exist':
    '{node}에 없는 서비스의 규칙이 있습니다: {service}',
  'the policy of {table*} FORWARD on {node} is DROP, and no rule accepts packets of pods: only masqueraded requests and answers pass':
    '{node}의 {table*} FORWARD 정책이 DROP이고, 파드의 패킷을 허용하는 규칙이 없습니다. 마스커레이드된 요청과 응답만 통과합니다',
  'the policy of {table*} FORWARD on {node} is DROP ({owner*} has chains in this table), and no rule accepts packets of pods: only masqueraded requests and answers pass':
    '{node}의 {table*} FORWARD 정책이 DROP이고(이 테이블에 {owner*}의 체인이 있음), 파드의 패킷을 허용하는 규칙이 없습니다. 마스커레이드된 요청과 응답만 통과합니다',
  'a rule of {table*} {chain} on {node} sets {bit}, with which kube-proxy marks packets for masquerading: {spec*}':
    '{node}의 {table*} {chain}에 있는 규칙이 kube-proxy의 마스커레이드 마크({bit})를 설정합니다: {spec*}',
  'a rule of {table*} {chain} on {node} ends packets with {bit}, with which kube-proxy marks packets for masquerading: {spec*}':
    '{node}의 {table*} {chain}에 있는 규칙이 kube-proxy의 마스커레이드 마크({bit})가 있는 패킷을 처리합니다: {spec*}',
  'the other program uses other bits of the mark, or masqueradeBit of kube-proxy is another one':
    '다른 프로그램이 마크의 다른 비트를 사용하거나, kube-proxy의 masqueradeBit을 바꿈',
  'rule {number} of policy routing on {node} sends packets with the mark {mark} to table {table}; {bit} is the mark of kube-proxy for masquerading':
    '{node}의 정책 라우팅 규칙 {number}번이 마크 {mark} 패킷을 테이블 {table}에 보냅니다. kube-proxy의 마스커레이드 마크: {bit}',
  'the other program uses other bits of the mark': '다른 프로그램이 마크의 다른 비트를 사용함',
  'the rules of {node} were written by kube-proxy before 1.24: it has chains KUBE-XLB-…, which are KUBE-EXT-… since then':
    '{node}의 규칙은 1.24 이전의 kube-proxy가 작성했습니다. KUBE-XLB-… 체인이 있는데, 그 뒤로는 KUBE-EXT-…입니다',
  'kube-proxy of {node} has the version of the API server':
    '{node}의 kube-proxy를 API 서버의 버전으로 업그레이드',
  '{node} has rules of kube-proxy in both backends of iptables: those of {tool} are evaluated too, and are possibly old':
    '{node}의 iptables 백엔드 두 개에 모두 kube-proxy의 규칙이 있습니다. {tool}의 규칙도 평가되는데, 오래된 것일 수 있습니다',
  '{node} has rules in both backends of iptables: packets pass those of {tool} (table {tables*}) too':
    '{node}의 iptables 백엔드 두 개에 모두 규칙이 있습니다. 패킷은 {tool}의 규칙({tables*} 테이블)도 거칩니다',
  'the rules of the backend that kube-proxy no longer uses are removed':
    'kube-proxy가 더 이상 사용하지 않는 백엔드의 규칙 제거',
  'all programs of the node use one backend (update-alternatives, or the image of the program)':
    '노드의 모든 프로그램이 한 백엔드를 사용하게 함(update-alternatives, 또는 프로그램의 이미지)',
  '{node} has rules of kube-proxy in nftables and in iptables: those of the mode that it no longer uses are evaluated too':
    '{node}의 nftables와 iptables에 모두 kube-proxy의 규칙이 있습니다. 더 이상 사용하지 않는 모드의 규칙도 평가됩니다',
  'the rules of the other mode are removed': '다른 모드의 규칙 제거',
  'nodes have rules of different modes of kube-proxy: {modes*}':
    '노드마다 kube-proxy의 모드가 다릅니다: {modes*}',
  'ConfigMap {name} has {declared!}, and the rules of {nodes*} are those of {shown!}: a restart of kube-proxy may change the rules':
    'ConfigMap {name}의 설정: {declared!}. {nodes*}에 있는 규칙의 설정: {shown!}. kube-proxy를 다시 시작하면 규칙이 바뀔 수 있습니다',
  'mode {mode}': '{mode} 모드',
  'clusterCIDR {range}': 'clusterCIDR {range}',
  'one mode in the configuration of kube-proxy, and a restart on all nodes':
    'kube-proxy의 설정에서 모드를 하나로 정하고, 모든 노드에서 재시작',
  'nodes run different versions of kube-proxy: {versions*}':
    '노드마다 kube-proxy의 버전이 다릅니다: {versions*}',
  // connections and settings
  'connection tracking of {node} has {count} of at most {most} entries (net.netfilter.nf_conntrack_max): new connections are dropped when it is full':
    '{node}의 연결 추적 항목이 최대 {most}개(net.netfilter.nf_conntrack_max) 중 {count}개입니다. 가득 차면 새 연결은 버려집니다',
  'a higher limit on {node}': '{node}의 한도를 늘림',
  'an entry of connection tracking on {place} sends {tuple*} to {address}, which is no endpoint of Service {service} and an address that nothing has: this client gets no answer':
    '{place}의 연결 추적 항목이 {tuple*} 패킷을 {address} 주소로 보내는데, 서비스 {service}의 엔드포인트도 아니고 가진 것도 없는 주소입니다. 이 클라이언트는 응답을 받지 못합니다',
  'the entry is deleted': '항목 삭제',
  '{name} of {node} is 0: it forwards no packets from or to its pods':
    '{node}의 {name} 값이 0입니다. 파드에서 오거나 파드로 가는 패킷을 포워딩하지 않습니다',
  '{name} of {node} is 0: answers between two pods on the bridge {bridge} do not pass connection tracking, which would restore the address of a Service':
    '{node}의 {name} 값이 0입니다. 브리지 {bridge}에 있는 두 파드 사이의 응답이 서비스의 주소를 되돌릴 연결 추적을 거치지 않습니다',
  '{name} of {node} is {value}; kube-proxy sets it to {wanted}':
    '{node}의 {name} 값이 {value}입니다. kube-proxy가 설정하는 값: {wanted}',
  '{name} of {node} is {value}; kube-proxy sets it to {wanted}, so that node ports answer on 127.0.0.1':
    '{node}의 {name} 값이 {value}입니다. 127.0.0.1의 노드포트가 응답하도록 kube-proxy가 설정하는 값: {wanted}',
  // addresses and ranges
  'pods {names!} have the same address {address}: packets reach only one of them':
    '파드 {names!}의 주소가 같습니다({address}). 패킷은 그중 하나에만 도달합니다',
  'nodes {names!} have the same address {address}: packets reach only one of them':
    '노드 {names!}의 주소가 같습니다({address}). 패킷은 그중 하나에만 도달합니다',
  'Services {names!} have the same cluster IP {address}: rules send requests to only one of them':
    '서비스 {names!}의 클러스터 IP가 같습니다({address}). 규칙은 그중 하나에만 요청을 보냅니다',
  'Services {names!} have the same node port {port}: rules send requests to only one of them':
    '서비스 {names!}의 노드포트가 같습니다({port}). 규칙은 그중 하나에만 요청을 보냅니다',
  'one of them gets another one': '그중 하나를 바꿈',
  'port {port} of the nodes is the node port of Service {service}, and pod {pods!} uses it too: requests to it do not reach both':
    '노드의 {port}번 포트는 서비스 {service}의 노드포트인데, 파드도 사용합니다({pods!}). 이 포트의 요청은 둘 중 하나에만 도달합니다',
  'the Service has another node port, or the pod another port than {port}':
    '서비스의 노드포트나 파드의 포트를 {port}번이 아닌 것으로 바꿈',
  'the ranges of pods of {node} ({range}) and {other} ({otherRange}) overlap: routes to the pods of one lead to the other':
    '{node}({range})와 {other}({otherRange})의 파드 범위가 겹칩니다. 한 노드의 파드로 가는 경로가 다른 노드로 이어집니다',
  'each node has its own range: the node is deleted and joins again':
    '각 노드에 자기 범위를 줌. 노드를 삭제하고 다시 추가함',
  'the cluster IP {address} of {service} is in {range}, the range of pods of {node}: the ranges of Services and pods overlap':
    '서비스 {service}의 클러스터 IP({address})가 {node}의 파드 범위({range})에 있습니다. 서비스와 파드의 범위가 겹칩니다',
  'the cluster IP {address} of {service} (and of {more} more Services) is in {range}, the range of pods of {node}: the ranges of Services and pods overlap':
    '서비스 {service}의 클러스터 IP({address})가(그 밖에 서비스 {more}개도) {node}의 파드 범위({range})에 있습니다. 서비스와 파드의 범위가 겹칩니다',
  'the ranges of Services and pods are different': '서비스와 파드에 서로 다른 범위를 줌',
  'the address {address} of node {node} is in {range}, the range of pods of {other}: the ranges of nodes and pods overlap':
    '노드 {node}의 주소({address})가 {other}의 파드 범위({range})에 있습니다. 노드와 파드의 범위가 겹칩니다',
  'the ranges of pods and of the network of the nodes are different':
    '파드와 노드의 네트워크에 서로 다른 범위를 줌',
  'kube-proxy on {nodes*} has clusterCIDR {range}, which does not hold the pods there ({pods!}): the requests of these pods to Services are masqueraded, and servers see the address of a node in place of the pod':
    '{nodes*}: 파드의 주소가 kube-proxy의 clusterCIDR({range})에 속하지 않습니다({pods!}). 이 파드들이 서비스로 보낸 요청이 마스커레이드되어, 서버에는 파드가 아니라 노드의 주소가 보입니다',
  'kube-proxy on {nodes*} has clusterCIDR {range}, which does not hold {count} of {all} pods there ({pods!}): the requests of these pods to Services are masqueraded, and servers see the address of a node in place of the pod':
    '{nodes*}: 파드 {all}개 중 {count}개의 주소가 kube-proxy의 clusterCIDR({range})에 속하지 않습니다({pods!}). 이 파드들이 서비스로 보낸 요청이 마스커레이드되어, 서버에는 파드가 아니라 노드의 주소가 보입니다',
  '{address} of {pod}': '{pod}의 {address}',
  'clusterCIDR in the configuration of kube-proxy is the range of the pods':
    'kube-proxy 설정의 clusterCIDR을 파드의 범위로 바꿈',
  'loadBalancerSourceRanges of Service {service} ({ranges*}) leave out {clients!}, in the same network as one of the ranges: is its length right?':
    '서비스 {service}의 loadBalancerSourceRanges({ranges*})에 같은 네트워크의 클라이언트가 빠져 있습니다({clients!}). 프리픽스 길이가 맞는지 확인하세요',
  'the ranges hold all clients that may call the load balancer':
    '로드 밸런서를 호출할 수 있는 모든 클라이언트를 범위에 포함함',
  '{node} has no route to {range}, the pods of {other}, but its default route':
    '{node}에 {other}의 파드({range})로 가는 경로가 기본 경로밖에 없습니다',
  'a route to {range} through {node}, which the CNI plugin writes':
    'CNI 플러그인이 쓰는 {range}에 대한 경로 추가({node} 경유)',
  // policies and manifests
  'no node has rules of an agent for NetworkPolicies: {policies!} may have no effect (an agent with eBPF has no such rules)':
    'NetworkPolicy를 적용하는 에이전트의 규칙이 있는 노드가 없습니다. 효과가 없을 수 있는 정책: {policies!}(eBPF를 쓰는 에이전트에는 이런 규칙이 없음)',
  'install an agent that enforces NetworkPolicies': 'NetworkPolicy를 적용하는 에이전트 설치',
  'the agent of the nodes enforces NetworkPolicies only: ClusterNetworkPolicies {policies!} have no effect':
    '노드의 에이전트는 NetworkPolicy만 적용합니다. 효과가 없는 ClusterNetworkPolicy: {policies!}',
  'install an agent that enforces ClusterNetworkPolicies': 'ClusterNetworkPolicy를 적용하는 에이전트 설치',
  '{kind} {name} selects no pod of {where!}': '{kind} {name}: {where!}에 선택하는 파드가 없습니다',
  'its namespace': '네임스페이스',
  'the cluster': '클러스터',
  'ClusterNetworkPolicies {names!} have the same place (tier {tier}, priority {priority}) and select pod {pod}: which one decides is left to the implementation':
    'ClusterNetworkPolicy {names!}: 티어({tier})와 우선순위({priority})가 같고 같은 파드를 선택합니다({pod}). 어느 쪽이 결정하는지는 구현에 따라 다릅니다',
  'spec.priority: different values, the lower one first': 'spec.priority: 서로 다른 값을 줌(작은 값이 먼저)',
  'no policy allows DNS requests from {pods!}: names cannot be looked up there':
    '파드의 DNS 요청을 허용하는 정책이 없습니다({pods!}). 이 파드에서는 이름을 조회할 수 없습니다',
  'the API server warns about {kind} {name}: {message*}': 'API 서버의 경고({kind} {name}): “{message*}”',
  'Ingress {name} has the class {class}, and the IngressClasses are {classes*}':
    'Ingress {name}의 클래스 {class}에 해당하는 IngressClass가 없습니다. 있는 것: {classes*}',
  'Ingress {name} sends {where} to Service {service}, which does not exist':
    'Ingress {name}에서 {where} 요청을 없는 서비스로 보냅니다: {service}',
  'Ingress {name} sends the default backend to Service {service}, which does not exist':
    'Ingress {name}에서 기본 백엔드의 요청을 없는 서비스로 보냅니다: {service}',
  'Ingress {name} sends {where} to port {port} of Service {service}, which has {ports*}':
    'Ingress {name}에서 {where} 요청을 서비스 {service}의 없는 포트 {port}번으로 보냅니다. 서비스의 포트: {ports*}',
  'Ingress {name} sends the default backend to port {port} of Service {service}, which has {ports*}':
    'Ingress {name}에서 기본 백엔드의 요청을 서비스 {service}의 없는 포트 {port}번으로 보냅니다. 서비스의 포트: {ports*}',
}
