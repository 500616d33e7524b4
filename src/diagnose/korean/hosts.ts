import type { Phrases } from '../../text/phrasebook.js'

/** Settings, routes, links, connections and rules of hosts that stop a request, and changes of them. */
export const hosts: Phrases = {
  '{address} is the address of {owner}, and {device} of {place} is down':
    '{address}: {owner}의 주소인데, {place}의 {device} 인터페이스가 내려가 있습니다',
  '{place} sends packets for {address} by {device}, and {other} of {host} is down':
    '{place}: {device} 인터페이스로 {address}에 패킷을 보내는데, {host}의 {other} 인터페이스가 내려가 있습니다',
  '{node} is connected to the network again': '{node} 노드를 네트워크에 다시 연결',
  '{device} of {place} is up': '{place}의 {device} 인터페이스를 올림',
  '{place} does not have its address {address}': '{place}에 있어야 할 주소 {address}가 없습니다',
  '{place} does not have its address {address} on {device}':
    '{place}의 {device} 인터페이스에 있어야 할 주소 {address}가 없습니다',
  '{device} of {place} has {address} again': '{place}의 {device} 인터페이스에 {address}를 다시 추가',
  '{name} of {place} is {value}': '{place}의 {name} 값: {value}',
  '{name} of {place} is {value}, and its route {route*} leads by another interface than the one by which packets from there arrive':
    '{place}의 {name} 값: {value}. 경로 {route*}의 인터페이스가 그곳의 패킷이 도착하는 인터페이스와 다릅니다',
  'the route {route*} of {place} is removed': '{place}의 경로 {route*} 제거',
  'the MTU of {device} is {bytes}: handshakes and short answers pass, and larger packets are lost':
    '{device}의 MTU: {bytes}. 핸드셰이크와 짧은 응답은 통과하고, 더 큰 패킷은 사라집니다',
  'the MTU of {device} on {place} is {bytes}': '{place}에 있는 {device}의 MTU: {bytes}',
  'the MTU of {device} on {place} is {bytes}, as that of its sender':
    '{place}에 있는 {device}의 MTU: {bytes}(보내는 쪽과 같음)',
  '{device} takes packets of at most {bytes} bytes (its MTU), and {sender} sends packets of up to {largest}: the link drops these without notice':
    '{device}: 최대 {bytes}바이트의 패킷을 받는데(MTU), {sender}에서 보내는 패킷은 최대 {largest}바이트입니다. 링크는 이런 패킷을 알리지 않고 버립니다',
  '{device} takes packets of at most {bytes} bytes (its MTU), and {sender} sends packets of the tunnel of up to {largest}: the link drops these without notice':
    '{device}: 최대 {bytes}바이트의 패킷을 받는데(MTU), {sender}에서 보내는 터널의 패킷은 최대 {largest}바이트입니다. 링크는 이런 패킷을 알리지 않고 버립니다',
  'hairpin of the bridge port {port} on {place} is off: a pod cannot reach itself through its Service':
    '{place}의 브리지 포트 {port}: 헤어핀이 꺼져 있어 파드가 서비스를 거쳐 자기 자신에 접속할 수 없습니다',
  'hairpin of {port} is on': '{port}의 헤어핀을 켬',
  '{place} has no route to {range}, the pods of {node}':
    '{place}에 {node}의 파드({range})로 가는 경로가 없습니다',
  '{place} has a route to {range} via {via}': '{place}에 {range}에 대한 경로 추가({via} 경유)',
  'a route on {place} to {address} through {via}': '{place}에 {address}에 대한 경로 추가({via} 경유)',
  '{place} rewrites the destination of the request, and the answer does not pass its conntrack, which would reverse that':
    '{place}: 요청의 목적지를 변환하는데, 응답이 변환을 되돌릴 conntrack을 거치지 않습니다',
  '{place} rewrites the destination of the request and keeps its source, and the answer does not pass its conntrack, which would reverse that':
    '{place}: 요청의 목적지를 변환하고 출발지는 그대로 두는데, 응답이 변환을 되돌릴 conntrack을 거치지 않습니다',
  '{place} does not masquerade the request: nothing rewrites its source to the node’s address':
    '{place}: 요청을 마스커레이드하지 않습니다. 출발지를 노드의 주소로 변환하는 것이 없습니다',
  '{device} of {place} has {address}, a range that overlaps {range}, the pods of {node}: packets for {destination} stay on its link':
    '{place}의 {device}에 있는 {address}: 범위가 {node}의 파드({range})와 겹칩니다. 목적지가 {destination}인 패킷은 이 링크를 벗어나지 않습니다',
  '{device} of {place} does not have {address}': '{place}의 {device}에서 {address} 제거',
  'conntrack of {place} sees what {sender} sends, and not the answer, which takes another path':
    '{place}의 conntrack은 {sender}에서 보내는 것만 보고, 다른 길로 가는 응답은 보지 못합니다',
  '{sender} sends packets for {range}, the pods of {node}, through {place}: {sees!}':
    '{sender}에서 {node}의 파드({range})로 가는 패킷을 {place} 경유로 보냅니다. {sees!}',
  'the route of {place} to {range} is via {via}': '{place}의 {range}에 대한 경로를 {via} 경유로 변경',
  'policy routing on {place} ({rule*}) sends packets to {address} by {route*}':
    '{place}의 정책 라우팅({rule*})에 따라 목적지가 {address}인 패킷의 경로가 바뀝니다: {route*}',
  'rule {number} of policy routing on {place} is removed': '{place}의 정책 라우팅에서 규칙 {number} 제거',
  // connections
  'conntrack of {place} has an entry from earlier packets, {tuple*} with replies from {source}: the datagram continues it, and no rule of nat is evaluated':
    '{place}의 conntrack에 이전 패킷이 만든 항목이 있습니다({tuple*}, 응답의 출발지 {source}). 데이터그램은 이 항목을 따르고, nat의 규칙은 평가되지 않습니다',
  '{entry!}, although no EndpointSlice has {address}':
    '{entry!}. 그런데 응답한 주소({address})가 있는 엔드포인트슬라이스가 없습니다',
  '{entry!}, although the endpoint {address} is not ready':
    '{entry!}. 그런데 이 엔드포인트({address})는 준비되지 않았습니다',
  'conntrack of {place} has no such entry': '{place}의 conntrack에서 이 항목 삭제',
  'conntrack of {place} has an entry of an earlier connection from the same port, {tuple*} with replies from {source}':
    '{place}의 conntrack에 같은 포트에서 맺은 이전 연결의 항목이 있습니다({tuple*}, 응답의 출발지 {source})',
  '{entry!}: while that connection is open, a new one continues the entry and meets no rule of nat, and whether it is answered then is not predicted':
    '{entry!}. 그 연결이 열려 있는 동안 새 연결은 이 항목을 따르고 nat의 규칙을 거치지 않으며, 그때 응답을 받는지는 예측하지 않습니다',
  // rules
  'a rule of kube-proxy or the CNI plugin is missing on {place}; it belongs to {where*}':
    '{place}에 kube-proxy나 CNI 플러그인의 규칙 1개가 없습니다. 있어야 할 곳: {where*}',
  '{count} rules of kube-proxy or the CNI plugin are missing on {place}; the first belongs to {where*}':
    '{place}에 kube-proxy나 CNI 플러그인의 규칙 {count}개가 없습니다. 첫 규칙이 있어야 할 곳: {where*}',
  'kube-proxy of {place} writes its rules again': '{place}의 kube-proxy가 규칙을 다시 작성',
  'no rule of {table*} {chain} accepts it, and the policy is DROP':
    '{table*} {chain}: 허용하는 규칙이 없고 정책이 DROP입니다',
  'no rule of {table*} {chain} accepts it, and the policy is DROP ({owner*} has chains in this table)':
    '{table*} {chain}: 허용하는 규칙이 없고 정책이 DROP입니다(이 테이블에 {owner*}의 체인이 있음)',
  'the policy of {table*} {chain} on {place} is ACCEPT': '{place}의 {table*} {chain} 정책을 ACCEPT로 설정',
  'rule {number} of {table*} {chain} on {place}, written neither by kube-proxy nor by the CNI plugin':
    '{place}의 {table*} {chain}에 있는 {number}번 규칙: kube-proxy도 CNI 플러그인도 작성하지 않은 규칙입니다',
  'rule {number} of {table*} {chain} on {place}, written neither by kube-proxy nor by the CNI plugin: {spec*}':
    '{place}의 {table*} {chain}에 있는 {number}번 규칙({spec*}): kube-proxy도 CNI 플러그인도 작성하지 않은 규칙입니다',
  'rule {number} of {table*} {chain} on {place}, written by {owner*}':
    '{place}의 {table*} {chain}에 있는 {number}번 규칙: 작성한 프로그램은 {owner*}입니다',
  'rule {number} of {table*} {chain} on {place}, written by {owner*}: {spec*}':
    '{place}의 {table*} {chain}에 있는 {number}번 규칙({spec*}): 작성한 프로그램은 {owner*}입니다',
  'rule {number} of {table*} {chain} on {place} is removed':
    '{place}의 {table*} {chain}에서 {number}번 규칙 제거',
  'the first rules of {table*} {chain} on {place} accept packets from and to {range}':
    '{place}의 {table*} {chain} 맨 앞에 출발지나 목적지가 {range}인 패킷을 허용하는 규칙 추가',
  'the first rules of {table*} {chain} on {place} accept packets to {protocol} port {port}':
    '{place}의 {table*} {chain} 맨 앞에 {protocol} 포트 {port}번으로 가는 패킷을 허용하는 규칙 추가',
  // the configuration of kube-proxy
  '{address} is the address of pod {pod}, and clusterCIDR of kube-proxy is empty, which does not have it: for kube-proxy the request is not from a pod':
    '{address}: 파드 {pod}의 주소인데, kube-proxy의 clusterCIDR이 비어 있습니다. kube-proxy는 이 요청을 파드가 보낸 것으로 보지 않습니다',
  '{address} is the address of pod {pod}, and clusterCIDR of kube-proxy is {range*}, which does not have it: for kube-proxy the request is not from a pod':
    '{address}: 파드 {pod}의 주소인데, kube-proxy의 clusterCIDR({range*})에 속하지 않습니다. kube-proxy는 이 요청을 파드가 보낸 것으로 보지 않습니다',
  '{number} is the node port of Service {service}, and nodePortAddresses of kube-proxy is {ranges*}: node ports are not served on {address}':
    '{number}: 서비스 {service}의 노드포트이지만, {address}에서는 노드포트가 동작하지 않습니다. kube-proxy의 nodePortAddresses: {ranges*}',
  '{change!}, then kube-proxy restarts': '{change!}, 그다음 kube-proxy 재시작',
  'kube-proxy on {nodes*} restarts and reads its ConfigMap ({change!})':
    '{nodes*}의 kube-proxy를 재시작해 컨피그맵을 다시 읽게 함({change!})',
}
