import type { Phrases } from '../../../text/phrasebook.js'

/** How paths end. */
export const ends: Phrases = {
  '{receiver!} answers': '{receiver!}의 응답',
  'the receiver answers': '수신자의 응답',
  '{receiver!} gets it; whether it answers is not known':
    '{receiver!}에 전달됩니다. 응답하는지는 알 수 없습니다',
  'the policy of {chain} is DROP': '{chain}의 정책이 DROP입니다',
  'rule {number} of {table} {chain} drops it': '{table} {chain}의 {number}번 규칙이 버립니다',
  'rule {number} of {family} {table} {chain} drops it':
    '{family} {table} {chain}의 {number}번 규칙이 버립니다',
  'rule {number} of {table} {chain} rejects it ({with*})':
    '{table} {chain}의 {number}번 규칙이 거부합니다({with*})',
  'rule {number} of {family} {table} {chain} rejects it ({with*})':
    '{family} {table} {chain}의 {number}번 규칙이 거부합니다({with*})',
  'what its target in {table} {chain} {number} does is not predicted':
    '{table} {chain} {number}의 타깃: 무엇을 하는지 예측하지 않습니다',
  'what {effect*} in {table} {chain} {number} does is not predicted':
    '{table} {chain} {number}의 {effect*}: 무엇을 하는지 예측하지 않습니다',
  'where its route to {range} leads is not predicted': '{range}에 대한 경로: 어디로 가는지 예측하지 않습니다',
  'where rule {rule} of its policy routing leads is not predicted':
    '정책 라우팅의 규칙 {rule}: 어디로 가는지 예측하지 않습니다',
  'what the rules of table {family} {table} on {host} do is not predicted':
    '{host}의 {family} {table} 테이블: 규칙이 무엇을 하는지 예측하지 않습니다',
  'it leaves the cluster: nothing attached has {address}':
    '클러스터 밖으로 나갑니다. 첨부한 파일에 {address}의 호스트가 없습니다',
  'nothing attached has {address}': '첨부한 파일에 {address}의 호스트가 없습니다',
  'what is behind {device} of {host} is not attached':
    '{host}의 {device} 너머에 있는 것이 첨부되지 않았습니다',
  '{host} has no route to {address}': '{host}에 {address}에 대한 경로가 없습니다',
  '{host} has no way to {address}: its route to {range} is {kind}':
    '{host}에서 {address}에 갈 수 없습니다. {range}에 대한 경로가 {kind}입니다',
  '{host} has no way to {address}: rule {rule} of its policy routing is {kind}':
    '{host}에서 {address}에 갈 수 없습니다. 정책 라우팅의 규칙 {rule}: {kind}',
  '{address} is a broadcast address': '{address}: 브로드캐스트 주소입니다',
  '{host} does not forward it: its time to live is {ttl}':
    '{host}에서 포워딩하지 않습니다. TTL이 {ttl}입니다',
  '{address} is not an address of {host}, which does not forward packets ({name} is 0)':
    '{address}: {host}의 주소가 아니고, {host}에서는 패킷을 포워딩하지 않습니다({name} 값이 0)',
  '{address} is not an address of {host}, which does not forward packets (forwarding of {device} is 0)':
    '{address}: {host}의 주소가 아니고, {host}에서는 패킷을 포워딩하지 않습니다({device}의 forwarding 값이 0)',
  'other connections to {socket} use the source port {port} of {address}: masquerading has none left, and the kernel drops the packet':
    '{socket}에 대한 다른 연결이 {address}의 출발지 포트 {port}번을 쓰고 있습니다. 마스커레이드할 포트가 남지 않아 커널이 패킷을 버립니다',
  'other connections to {socket} use the source ports {first} to {last} of {address}: masquerading has none left, and the kernel drops the packet':
    '{socket}에 대한 다른 연결이 {address}의 출발지 포트 {first}번부터 {last}번까지 쓰고 있습니다. 마스커레이드할 포트가 남지 않아 커널이 패킷을 버립니다',
  'another connection to {socket} has source port {port}':
    '{socket}에 대한 다른 연결이 출발지 포트 {port}번을 쓰고 있습니다',
  'the error reaches the caller': '오류가 호출자에게 도착합니다',
  'the answer {from} → {to} reaches {host}, which has sent no such request':
    '응답 {from} → {to}: 이런 요청을 보낸 적이 없는 {host}에 도착합니다',
  'the answer comes from {source}, but the request went to {destination}':
    '응답은 {source}에서 오지만, 요청은 {destination}에 보냈습니다',
  'nothing listens on {protocol} port {port} of {owner!}':
    '{owner!}의 {protocol} 포트 {port}번에서 수신 대기하는 프로세스가 없습니다',
  'nothing listens on {protocol} port {port}':
    '{protocol} 포트 {port}번에서 수신 대기하는 프로세스가 없습니다',
  'it arrives at {host}; whether {program!} listens on {protocol} port {port} is not known':
    '{host}에 도착합니다. {protocol} 포트 {port}번에서 수신 대기하는지는 알 수 없습니다({program!})',
  'no host on {device} has {address}': '{device}의 링크에 {address}의 호스트가 없습니다',
  '{device} of {host}, by which it sends packets for {address}, is down':
    '{address}에 패킷을 보내는 {host}의 {device} 인터페이스가 내려가 있습니다',
  'no host on {device} has {address}: {other} of {host}, which has it, is down':
    '{device}의 링크에 {address}의 호스트가 없습니다. 이 주소가 있는 {host}의 {other} 인터페이스가 내려가 있습니다',
  '{host} sends frames for {address} to {mac} (a permanent neighbour of {device}), which no interface there has':
    '{host}: {address}에 보내는 프레임의 MAC 주소({mac}, {device}의 영구 이웃 항목)가 그 링크에 있는 인터페이스의 것이 아닙니다',
  '{host} sends frames for {address} to {mac} (a permanent neighbour of {device}), which no interface there has ({other} of {place} is down)':
    '{host}: {address}에 보내는 프레임의 MAC 주소({mac}, {device}의 영구 이웃 항목)가 그 링크에 있는 인터페이스의 것이 아닙니다({place}의 {other} 인터페이스가 내려가 있음)',
  '{device} of {host} leads out of the lab': '{host}의 {device}: 랩 밖으로 나갑니다',
  '{host} has learned {mac} for {address}, which no interface on {device} has; when it asks again is not known':
    '{host}: {address}의 MAC 주소로 기억한 값({mac})이 {device}의 링크에 있는 인터페이스의 것이 아닙니다. 언제 다시 물어볼지는 알 수 없습니다',
  'the bridge {bridge} does not send a packet back through the port {port} (hairpin is off)':
    '브리지 {bridge}: 패킷을 {port} 포트로 되돌려 보내지 않습니다(헤어핀이 꺼져 있음)',
  'whether the bridge {bridge} sends a packet back through the port {port} (hairpin) is not known':
    '브리지 {bridge}: 패킷을 {port} 포트로 되돌려 보내는지(헤어핀) 알 수 없습니다',
  'source {address} arrives on {device}, and route_localnet is 0 (a martian packet)':
    '출발지가 {address}인 패킷이 {device}에 도착하는데 route_localnet이 0입니다(martian 패킷)',
  'destination {address} arrives on {device}, and route_localnet is 0 (a martian packet)':
    '목적지가 {address}인 패킷이 {device}에 도착하는데 route_localnet이 0입니다(martian 패킷)',
  'source {address} is {host}’s own address (a martian packet)':
    '출발지 {address}: {host} 자신의 주소입니다(martian 패킷)',
  '{address} arrives on {device}, but has no route (rp_filter is {filter})':
    '출발지가 {address}인 패킷이 {device}에 도착하지만, 이 주소에 대한 경로가 없습니다(rp_filter {filter})',
  '{address} arrives on {device}, but has its route by {other} (rp_filter is {filter})':
    '출발지가 {address}인 패킷이 {device}에 도착하지만, 이 주소에 대한 경로는 {other}입니다(rp_filter {filter})',
  '{address} arrives on {device}, but has no route (ip rule {rule}, for answers of {answer}) (rp_filter is {filter})':
    '출발지가 {address}인 패킷이 {device}에 도착하지만, {answer}에서 보내는 응답에 적용되는 ip rule {rule}에 따르면 이 주소에 대한 경로가 없습니다(rp_filter {filter})',
  '{address} arrives on {device}, but has its route by {other} (ip rule {rule}, for answers of {answer}) (rp_filter is {filter})':
    '출발지가 {address}인 패킷이 {device}에 도착하지만, {answer}에서 보내는 응답에 적용되는 ip rule {rule}에 따르면 이 주소에 대한 경로는 {other}입니다(rp_filter {filter})',
  'route_localnet of {device} is 0: packets from 127.0.0.0/8 do not leave by it':
    '{device}의 route_localnet이 0입니다. 127.0.0.0/8에서 온 패킷은 이 인터페이스로 나가지 않습니다',
  'the virtual server {server} has no real server: IPVS rejects it (ICMP port unreachable)':
    '가상 서버 {server}에 리얼 서버가 없습니다. IPVS가 거부합니다(ICMP port unreachable)',
  'the virtual server {server} has no real server for new connections: IPVS rejects it (ICMP port unreachable)':
    '가상 서버 {server}에 새 연결을 받을 리얼 서버가 없습니다. IPVS가 거부합니다(ICMP port unreachable)',
  'the connection opens, but the third packet of its handshake does not pass: {end!}':
    '연결은 열리지만 핸드셰이크의 세 번째 패킷이 통과하지 못합니다. {end!}',
  'the connection opens, but what the caller sends does not pass: {end!}':
    '연결은 열리지만 호출자가 보내는 것이 통과하지 못합니다. {end!}',
  'the connection opens, but the answer does not pass: {end!}':
    '연결은 열리지만 응답이 통과하지 못합니다. {end!}',
  '{end!}; the request is sent again: {other!}': '{end!}. 요청을 다시 보냅니다: {other!}',
  '{end!}; a program does not get such an error about a datagram':
    '{end!}. 프로그램은 데이터그램에 대한 이런 오류를 받지 않습니다',
  '{end!}; the error does not reach the caller: {lost!}':
    '{end!}. 오류가 호출자에게 도착하지 않습니다: {lost!}',
  'it reaches {host}, and is about {tuple*}': '{host}에 도착하는데, {tuple*} 패킷에 대한 오류입니다',
  'it reaches {host}, and is about another packet': '{host}에 도착하는데, 다른 패킷에 대한 오류입니다',
  'it reaches {host} as {tuple*}': '{host}에 {tuple*} 패킷으로 도착합니다',
  'the data arrive': '데이터가 도착합니다',
  'a tunnel in a tunnel is not predicted: {device} gets its own kind of packet':
    '터널 안의 터널은 예측하지 않습니다. {device} 인터페이스에 같은 종류의 패킷이 다시 들어갑니다',
  'the tunnel {device} has no entry for {address}': '터널 {device}에 {address}에 대한 항목이 없습니다',
  'no tunnel device takes port {port}': '{port}번 포트를 받는 터널 인터페이스가 없습니다',
  '{setting!} on {host}, which is not predicted': '{host}: {setting!}. 예측하지 않습니다',
  '{device} filters VLANs': '{device}의 VLAN 필터링이 켜져 있습니다',
  'the bridge port {port} is {state}': '브리지 포트 {port}의 상태: {state}',
  'the bridge port {port} learns or floods nothing': '브리지 포트 {port}의 학습이나 플러딩이 꺼져 있습니다',
  'there are too many paths': '경로가 너무 많습니다',
  'a kube-proxy program writes the rules of this node when the lab runs':
    '이 노드의 규칙은 랩이 실행될 때 kube-proxy 프로그램이 작성합니다',
  'both backends of iptables have rules of nat': 'iptables 백엔드 두 개에 모두 nat의 규칙이 있습니다',
  'the own connection of {proxy!}: {end!}': '{proxy!} 자신의 연결: {end!}',
  'the routes form a loop: the time to live ends': '경로들이 순환해 TTL이 0이 됩니다',
  'the proxies form a loop': '프록시들이 순환합니다',
  '{proxy!} accepts the connection and closes it: it has no ready endpoint':
    '{proxy!}: 연결을 받아들인 뒤 닫습니다. 준비된 엔드포인트가 없습니다',
  '{proxy!} accepts the connection and closes it: Service {service} has no ready endpoint':
    '{proxy!}: 연결을 받아들인 뒤 닫습니다. 서비스 {service}에 준비된 엔드포인트가 없습니다',
  '{proxy!} closes the connection: it expects a header of the PROXY protocol':
    '{proxy!}: 연결을 닫습니다. PROXY 프로토콜의 헤더를 기대합니다',
  '{proxy!} selects a backend by the HTTP request, which is not known':
    '{proxy!}: HTTP 요청으로 백엔드를 선택하는데, 요청을 알 수 없습니다',
  'the client ends the connection: it does not trust the certificate of {proxy!}':
    '클라이언트가 연결을 끝냅니다. {proxy!}의 인증서를 신뢰하지 않습니다',
  '{proxy!} returns {status}: Service {service} has no ready endpoint':
    '{proxy!}: 상태 {status}. 서비스 {service}에 준비된 엔드포인트가 없습니다',
  '{proxy!} returns {status}: no ready endpoint of the Service is on {node}':
    '{proxy!}: 상태 {status}. {node}에 서비스의 준비된 엔드포인트가 없습니다',
  '{proxy!} returns {status}: no route matches': '{proxy!}: 상태 {status}. 일치하는 라우트가 없습니다',
  '{proxy!} returns {status}: a header of the PROXY protocol is no request':
    '{proxy!}: 상태 {status}. PROXY 프로토콜의 헤더는 요청이 아닙니다',
  '{proxy!} returns {status}: the route may not use {backend}, or it does not exist (ResolvedRefs)':
    '{proxy!}: 상태 {status}. 라우트가 사용할 수 없거나 없는 백엔드입니다: {backend} (ResolvedRefs)',
  '{proxy!} returns {status}: {route*} has no backend':
    '{proxy!}: 상태 {status}. {route*}에 백엔드가 없습니다',
  '{proxy!} returns {status}: {route}': '{proxy!}: 상태 {status}. 라우트 {route}',
  '{proxy!} returns {status}: {route} does not allow {address}':
    '{proxy!}: 상태 {status}. 라우트 {route}에서 {address}를 허용하지 않습니다',
  '{proxy!} returns {status}: kube-proxy has no such path':
    '{proxy!}: 상태 {status}. kube-proxy에 이런 경로가 없습니다',
  '{proxy!} returns {status}: it expects TLS on this port':
    '{proxy!}: 상태 {status}. 이 포트에서는 TLS를 기대합니다',
  '{proxy!} closes the connection: it expects TLS on this port':
    '{proxy!}: 연결을 닫습니다. 이 포트에서는 TLS를 기대합니다',
  '{proxy!} closes the connection: no route matches': '{proxy!}: 연결을 닫습니다. 일치하는 라우트가 없습니다',
  '{proxy!} closes the connection: Service {service} has no ready endpoint':
    '{proxy!}: 연결을 닫습니다. 서비스 {service}에 준비된 엔드포인트가 없습니다',
  '{proxy!} closes the connection: the route may not use {backend}, or it does not exist (ResolvedRefs)':
    '{proxy!}: 연결을 닫습니다. 라우트가 사용할 수 없거나 없는 백엔드입니다: {backend} (ResolvedRefs)',
  '{proxy!} closes the connection: {route*} has no backend':
    '{proxy!}: 연결을 닫습니다. {route*}에 백엔드가 없습니다',
  '{server!} speaks HTTP without TLS: the TLS handshake fails':
    '{server!}: TLS 없이 HTTP를 씁니다. TLS 핸드셰이크가 실패합니다',
  '{server!} speaks HTTP/1.1, and the connection begins with HTTP/2':
    '{server!}: HTTP/1.1을 쓰는데, 연결이 HTTP/2로 시작합니다',
  // names of receivers and proxies
  'the load balancer': '로드 밸런서',
  'the DNS server on {client}': '{client}의 DNS 서버',
  'pod {pod}': '파드 {pod}',
  'kube-proxy of {node}': '{node}의 kube-proxy',
  '{program} of pod {pod}': '파드 {pod}의 {program}',
  'container {container} of pod {pod}': '파드 {pod}의 컨테이너 {container}',
  'a container of pod {pod}': '파드 {pod}의 컨테이너',
  'a program of {host}': '{host}의 프로그램',
  'the health checks of {node}': '{node}의 상태 확인 서버',
  // errors and resets that are sent back
  'TCP reset': 'TCP 리셋',
  'ICMP {error!}': 'ICMP {error!}',
  'ICMPv6 {error!}': 'ICMPv6 {error!}',
  'type {type} code {code}': '타입 {type} 코드 {code}',
  'port unreachable': '포트 도달 불가',
  'host unreachable': '호스트 도달 불가',
  'network unreachable': '네트워크 도달 불가',
  'no route to destination': '목적지로 가는 경로 없음',
  'address unreachable': '주소 도달 불가',
  'protocol unreachable': '프로토콜 도달 불가',
  'network prohibited': '네트워크 금지',
  'host prohibited': '호스트 금지',
  'administratively prohibited': '관리상 금지',
  'source address failed policy': '출발지 주소 정책 위반',
  'reject route': '거부 경로',
  'time exceeded': '시간 초과',
}
