import type { Phrases } from '../../text/phrasebook.js'

/** What is known of what was attached and what was assumed, and what of it could not be read. */
export const notices: Phrases = {
  'each Service is asked from {used} of {all} nodes': '각 서비스를 노드 {all}개 중 {used}개에서 호출합니다',
  'each Service is asked from {used} of {all} nodes, in turns':
    '각 서비스를 노드 {all}개 중 {used}개에서 돌아가며 호출합니다',
  'not looked at, beyond the rules that nodes have for them: {objects*}':
    '노드에 있는 규칙 외에는 확인하지 않은 것: {objects*}',
  'rules are not attached, and assumed to be those of kube-proxy alone: {nodes*}':
    '규칙이 첨부되지 않아 kube-proxy의 규칙만 있다고 가정함: {nodes*}',
  'interfaces and routes are not attached, and assumed to lead to each pod: {nodes*}':
    '인터페이스와 경로가 첨부되지 않아 모든 파드에 이어진다고 가정함: {nodes*}',
  'ipsets (ipset save) are not attached, and assumed to be those of kube-proxy: {nodes*}':
    'ipset(ipset save)이 첨부되지 않아 kube-proxy의 것으로 가정함: {nodes*}',
  'virtual servers (ipvsadm -Ln) are not attached, and assumed to be those of kube-proxy: {nodes*}':
    '가상 서버(ipvsadm -Ln)가 첨부되지 않아 kube-proxy의 것으로 가정함: {nodes*}',
  'settings of the kernel (sysctl) are not attached, and assumed to be usual: {nodes*}':
    '커널 설정(sysctl)이 첨부되지 않아 일반적인 값으로 가정함: {nodes*}',
  '{setting} is not among the settings, and assumed to be 1: {nodes*}. Where br_netfilter is not loaded (lsmod), answers between pods of one node do not pass NAT':
    '{setting}: 설정에 없어 1로 가정함({nodes*}). br_netfilter가 로드되지 않은 노드(lsmod)에서는 같은 노드에 있는 파드 사이의 응답이 NAT를 거치지 않습니다',
  // objects
  'no Services are attached: they, their endpoints and ports are those of the rules':
    '서비스가 첨부되지 않아 서비스와 엔드포인트, 포트는 규칙에 있는 것으로 가정함',
  'no Node object is attached for {nodes*}': 'Node 오브젝트가 첨부되지 않은 노드: {nodes*}',
  'EndpointSlices are not attached: they are made from Endpoints':
    '엔드포인트슬라이스가 첨부되지 않아 Endpoints에서 만듦',
  'EndpointSlices are not attached: they are computed from selectors and pods':
    '엔드포인트슬라이스가 첨부되지 않아 셀렉터와 파드에서 계산함',
  'neither EndpointSlices nor Endpoints are attached': '엔드포인트슬라이스와 Endpoints가 모두 첨부되지 않음',
  'the endpoints of Service {service} are not attached':
    '서비스 {service}의 엔드포인트가 첨부되지 않았습니다',
  // kube-proxy and ranges
  'no node has rules of kube-proxy': 'kube-proxy의 규칙이 있는 노드가 없음',
  'the configuration of kube-proxy is not attached': 'kube-proxy의 설정이 첨부되지 않음',
  'the configuration of kube-proxy is not attached; clusterCIDR {range} is that of the rules':
    'kube-proxy의 설정이 첨부되지 않음. clusterCIDR은 규칙에 있는 값({range})',
  'the configuration of kube-proxy: {field}: {problem*}': 'kube-proxy의 설정: {field}: “{problem*}”',
  'kube-proxy is {version} (by {how!})': 'kube-proxy의 버전: {version}({how!} 기준)',
  'kube-proxy on {nodes*} is {version} (by {how!})': '{nodes*}의 kube-proxy 버전: {version}({how!} 기준)',
  '{says!}, whose rules are taken for those of {version}': '{says!}. 규칙은 {version} 버전의 것으로 가정함',
  'its image': '이미지',
  'the version of the kubelet': 'kubelet의 버전',
  'ranges: {ranges!}': '범위: {ranges!}',
  'services {range} (by {how!})': '서비스 {range}({how!} 기준)',
  'pods {range} (by {how!})': '파드 {range}({how!} 기준)',
  'nodes {range} (by {how!})': '노드 {range}({how!} 기준)',
  'a flag or object': '플래그나 오브젝트',
  'the cluster IPs': '클러스터 IP',
  'the addresses of pods': '파드의 주소',
  'the addresses of nodes': '노드의 주소',
  'nothing names the node of the rules: they are taken for those of {node}, from which they differ least':
    '규칙이 어느 노드의 것인지 알 수 없어, 차이가 가장 적은 {node}의 규칙으로 가정함',
  // what texts of nodes show
  'only the lines that "{command*}" selects are shown': '"{command*}" 명령이 선택한 줄만 있음',
  'only the table {table} is shown': '{table} 테이블만 있음',
  'only some tables of nftables are shown': 'nftables의 테이블 일부만 있음',
  '{notice!} (in {files*})': '{notice!}({files*})',
  'the tables {tables*} of {tool} are not shown': '없는 {tool} 테이블: {tables*}',
  'the policies of {chains*} in table {table} are not shown': '{table} 테이블에 정책이 없는 체인: {chains*}',
  'the table of {count} rules is not shown: they are left out':
    '규칙 {count}개는 어느 테이블의 것인지 알 수 없어 제외함',
  'the table of the chains {chains*} is not shown: their rules are left out':
    '어느 테이블의 것인지 알 수 없는 체인의 규칙은 제외함: {chains*}',
  'the other backend, {tool}, has rules too, which are not in this text':
    '다른 백엔드({tool})에도 규칙이 있지만 이 텍스트에는 없음',
  'table {table} has rules that iptables cannot print: only nft lists them':
    '{table} 테이블에 iptables로 출력할 수 없고 nft로만 볼 수 있는 규칙이 있음',
  'nft prints conditions of iptables that it does not know only by name: rules with those are not decided':
    'nft가 알지 못하는 iptables의 조건은 이름만 출력되므로, 이런 조건이 있는 규칙은 결정하지 않음',
  'conditions of iptables -L are not read ({conditions*}): whether a rule with one applies is not decided':
    '읽지 못한 iptables -L의 조건({conditions*})이 있는 규칙은 적용되는지 결정하지 않음',
  'iptables -L without -v shows no interfaces: whether a rule applies is not decided':
    '-v 없는 iptables -L에는 인터페이스가 나오지 않아 규칙이 적용되는지 결정하지 않음',
  'iptables -L without -n shows names in place of addresses: whether such a rule applies is not decided':
    '-n 없는 iptables -L에는 주소 대신 이름이 나와 그런 규칙이 적용되는지 결정하지 않음',
  "the command ran {where!}: it shows nothing of the node's own network namespace":
    '{where!}에서 실행한 명령이라 노드의 네트워크 네임스페이스에 대한 정보가 없음',
  'in the namespace of process {process}': '프로세스 {process}의 네임스페이스',
  'in the network namespace {name}': '네트워크 네임스페이스 {name}',
  'in pod {pod}': '파드 {pod}',
  'ip link shows no addresses': 'ip link에는 주소가 나오지 않음',
  'ip -o addr and ip -br addr show only interfaces that have addresses, and no MTU or MAC address':
    'ip -o addr과 ip -br addr에는 주소가 있는 인터페이스만 나오고, MTU와 MAC 주소는 나오지 않음',
  'ip route get shows one decision, and no routes: it is not read':
    'ip route get에는 경로가 아니라 결정 하나만 나오므로 읽지 않음',
  'without -d, ip does not show what the links are (veth, bridge, vxlan), nor the settings of ports of bridges, such as hairpin':
    '-d 없는 ip 명령에는 링크의 종류(veth, bridge, vxlan)와 헤어핀 같은 브리지 포트의 설정이 나오지 않음',
  'without -d, ip does not show what the links are (veth, bridge, vxlan), nor the ports of bridges':
    '-d 없는 ip 명령에는 링크의 종류(veth, bridge, vxlan)와 브리지의 포트가 나오지 않음',
  'bridge link without -d does not show hairpin': '-d 없는 bridge link에는 헤어핀이 나오지 않음',
  'ifconfig does not show what the links are (veth, bridge, vxlan), their numbers, the ports of bridges, and further addresses of IPv4 of an interface':
    'ifconfig에는 링크의 종류(veth, bridge, vxlan)와 번호, 브리지의 포트, 인터페이스의 두 번째 이후 IPv4 주소가 나오지 않음',
  'netstat -rn shows no metrics of routes': 'netstat -rn에는 경로의 메트릭이 나오지 않음',
  'route -n shows only the table main, one next hop of a route, and no source addresses':
    'route -n에는 main 테이블과 경로마다 다음 홉 하나만 나오고, 출발지 주소는 나오지 않음',
  'netstat shows sockets of both families like those of IPv6 only: they are taken for both':
    'netstat에는 두 패밀리의 소켓이 IPv6 전용 소켓과 똑같이 나오므로 두 패밀리의 것으로 가정함',
  '{tool} shows no socket that waits for packets': '{tool}에 수신 대기하는 소켓이 없음',
  '{command*} shows no sockets of {protocol}': '{command*}에는 {protocol} 소켓이 나오지 않음',
  'ipset list -t shows no members: the sets are not read':
    'ipset list -t에는 항목이 나오지 않아 집합을 읽지 않음',
  'ipvsadm sorts real servers by default: which of them a hash selects is not known':
    'ipvsadm은 기본으로 리얼 서버를 정렬하므로, 해시로 어느 것이 선택되는지 알 수 없음',
  'ipvsadm without -n shows names in place of addresses: those servers are not read':
    '-n 없는 ipvsadm에는 주소 대신 이름이 나와 그런 서버는 읽지 않음',
  // what could not be read
  '{file*} was not read: {why!}': '{file*}: 읽지 않음. {why!}',
  'it is no regular file': '일반 파일이 아님',
  'it is larger than {size} MiB': '{size} MiB보다 큼',
  'archives are nested deeper than {depth}': '아카이브의 중첩이 {depth}단계보다 깊음',
  'the archive is damaged: {why*}': '아카이브가 손상됨(“{why*}”)',
  'it is compressed by xz: {command*} unpacks it; attach the folder that it writes':
    'xz로 압축되어 있음. {command*} 명령으로 풀고, 생긴 폴더를 첨부하세요',
  'the line has {length} characters; only the first {read} are read':
    '한 줄이 {length}자임. 처음 {read}자만 읽음',
  'the collector could not read it: {why*}': '수집 도구가 읽지 못함(“{why*}”)',
  'it begins like the output of "{tool*}", and could not be read: {why*}':
    '"{tool*}"의 출력처럼 시작하지만 읽을 수 없음(“{why*}”)',
  'the text ends inside a table of nftables': '텍스트가 nftables의 테이블 중간에서 끝남',
  'table {table} of {family} is in the text twice: only the first is read':
    '{family}의 {table} 테이블이 텍스트에 두 번 있어 첫 번째만 읽음',
  'and {count} more lines that could not be read': '그 밖에 읽을 수 없는 줄 {count}개',
  'expected an interface, found "{text*}"': '인터페이스가 아님: "{text*}"',
  'expected a route, found "{text*}"': '경로가 아님: "{text*}"',
  'expected a rule of {command*}, found "{text*}"': '{command*}의 규칙이 아님: "{text*}"',
  'expected a neighbour, found "{text*}"': '이웃 항목이 아님: "{text*}"',
  'expected a set of ipset, found "{text*}"': 'ipset의 집합이 아님: "{text*}"',
  'expected a setting, found "{text*}"': '설정이 아님: "{text*}"',
  'the effect of the fault "{fault*}" is not predicted': '장애 "{fault*}": 영향을 예측하지 않음',
  '{what!} of {place} could not be read: {why*}': '{place}: {what!} 읽을 수 없음(“{why*}”)',
  'the interfaces, the routes, and the rules of policy routing for IPv4':
    '인터페이스, 경로, IPv4 정책 라우팅의 규칙을',
  'the forwarding entries of tunnels': '터널의 포워딩 항목을',
  'the rules of policy routing for IPv6': 'IPv6 정책 라우팅의 규칙을',
  'the settings of the kernel': '커널의 설정을',
  'the rules of nftables': 'nftables의 규칙을',
  'the rules of iptables for {family}': '{family}의 iptables 규칙을',
  'the rules of the other backend of iptables for {family}': '{family}의 다른 iptables 백엔드 규칙을',
  'the sets of ipset': 'ipset의 집합을',
  'the lists of the match recent': 'recent 매치의 목록을',
  'the output ends before it': '출력이 그 앞에서 끝남',
  'the virtual servers of IPVS': 'IPVS의 가상 서버를',
  'the sockets that wait for packets': '수신 대기하는 소켓을',
}
