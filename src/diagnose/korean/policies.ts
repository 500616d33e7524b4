import type { Phrases } from '../../text/phrasebook.js'

/** Policies, Ingresses and routes that stop a request, and changes of them. */
export const policies: Phrases = {
  'policy agent {agent*} stops it in chain {chain}, whose policies do not allow it: {policies!}':
    '정책 에이전트 {agent*}: {chain} 체인에서 버립니다. 허용하지 않는 정책: {policies!}',
  'policy agent {agent*} stops it in chain {chain}, whose policies of pod {pod} do not allow it: {policies!}':
    '정책 에이전트 {agent*}: 파드 {pod}의 정책이 있는 {chain} 체인에서 버립니다. 허용하지 않는 정책: {policies!}',
  'no comment names a policy': '주석에 정책의 이름이 없습니다',
  'ClusterNetworkPolicy {name} (tier {tier}, priority {priority}) denies ingress of pod {pod} from {peer!} on {protocol} port {port}: {rule*}':
    'ClusterNetworkPolicy {name}(티어 {tier}, 우선순위 {priority}): 파드 {pod}의 ingress에서 {peer!}의 {protocol} 포트 {port}번 요청을 거부합니다. 규칙: {rule*}',
  'ClusterNetworkPolicy {name} (tier {tier}, priority {priority}) denies egress of pod {pod} to {peer!} on {protocol} port {port}: {rule*}':
    'ClusterNetworkPolicy {name}(티어 {tier}, 우선순위 {priority}): 파드 {pod}의 egress에서 {peer!}의 {protocol} 포트 {port}번으로 가는 요청을 거부합니다. 규칙: {rule*}',
  'NetworkPolicy {names!} isolates pod {pod} for {direction}, and no rule {what!}':
    'NetworkPolicy {names!}: 파드 {pod}의 {direction}를 격리하는데, {what!}',
  'NetworkPolicy {names!} isolate pod {pod} for {direction}, and no rule {what!}':
    'NetworkPolicy {names!}: 파드 {pod}의 {direction}를 격리하는데, {what!}',
  '{first} and {others!}': '{first}, {others!}',
  'allows {peer!} on {protocol} port {port}':
    '{peer!}의 {protocol} 포트 {port}번 요청을 허용하는 규칙이 없습니다',
  'allows {peer!} ({socket}) with {protocol}':
    '{peer!}({socket})에 보내는 {protocol}를 허용하는 규칙이 없습니다',
  'allows {socket} with {protocol}': '{socket}에 보내는 {protocol}를 허용하는 규칙이 없습니다',
  'without DNS every name fails': 'DNS가 없으면 모든 이름 조회가 실패합니다',
  '{field} allows port {port} of the Service, but policies see the port of the pod':
    '{field}에서 서비스의 포트 {port}번을 허용하지만, 정책에는 파드의 포트가 보입니다',
  '{field} allows {address}, but a node has masqueraded it: the policy sees {source}':
    '{field}에서 {address}를 허용하지만, 노드에서 마스커레이드되었습니다. 정책에 보이는 출발지: {source}',
  '{policy} {field} has the peer, not the port': '{policy} {field}에 이 상대는 있지만 포트가 없습니다',
  '{policy} {field} has the port, not the peer (from)':
    '{policy} {field}에 이 포트는 있지만 상대(`from`)가 없습니다',
  '{policy} {field} has the port, not the peer (to)':
    '{policy} {field}에 이 포트는 있지만 상대(`to`)가 없습니다',
  '{field} also has {protocol} {port}': '{field}에 {protocol} {port} 추가',
  '{field} also has {peer!}': '{field}에 {peer!} 추가',
  'pods with {labels}': '레이블이 {labels}인 파드',
  'pods with {labels} of namespace {namespace}': '{namespace} 네임스페이스의 레이블이 {labels}인 파드',
  '{field} also allows DNS: UDP and TCP port 53': '{field}에 DNS(UDP와 TCP 53번 포트) 허용 추가',
  '{field} also allows {peer!} on {protocol} port {port}':
    '{field}에 {peer!}의 {protocol} 포트 {port}번 허용 추가',
  '{list} also accepts {peer!} on {protocol} port {port}, before {field}':
    '{list}의 {field} 앞에 {peer!}의 {protocol} 포트 {port}번 허용 추가',
  // Ingresses and routes
  'the rule of {kind} {name} has no backend with a weight':
    '{kind} {name}의 규칙에 가중치가 있는 백엔드가 없습니다',
  'Ingress {name} has a rule for {target}, but {is!}': 'Ingress {name}에 {target} 규칙이 있지만, {is!}',
  'Ingress {name} has a rule for {target}, but {is!}; the controller of {controller} serves {class}':
    'Ingress {name}에 {target} 규칙이 있지만, {is!}. {controller}의 컨트롤러가 처리하는 클래스: {class}',
  'has no class': '클래스가 없습니다',
  'has the class {class}, which another controller serves':
    '클래스 {class}의 Ingress는 다른 컨트롤러가 처리합니다',
  'has the class {class}, which does not exist': '클래스 {class}의 IngressClass가 없습니다',
  '{kind} {name}: no ReferenceGrant in namespace {namespace} allows {kinds} of {from} to use Service {service} (RefNotPermitted)':
    '{kind} {name}: {namespace} 네임스페이스에 {from} 네임스페이스의 {kinds}에서 서비스 {service} 사용을 허용하는 ReferenceGrant가 없습니다(RefNotPermitted)',
  '{kind} {name} is not accepted: {message*} ({reason})':
    '{kind} {name}: 받아들여지지 않았습니다({reason}: “{message*}”)',
  '{kind} {name} names the {parents*}, which does not exist':
    '{kind} {name}: 없는 오브젝트를 가리킵니다({parents*})',
  'no Ingress or route is served by the controller of {controller}':
    '{controller}의 컨트롤러가 처리하는 Ingress나 라우트가 없습니다',
  'no path of host {host} matches {path}; there is {paths*}':
    '호스트 {host}에 {path}와 일치하는 경로가 없습니다. 있는 경로: {paths*}',
  'no path of host {host} matches {path}; there are {paths*}':
    '호스트 {host}에 {path}와 일치하는 경로가 없습니다. 있는 경로: {paths*}',
  'the request has the address {address} as its host name, for which no Ingress or route has a rule; the controller of {controller} has rules for {hosts*}':
    '요청의 호스트 이름이 주소 {address}이고, 이 호스트에 대한 Ingress나 라우트가 없습니다. {controller}의 컨트롤러에 규칙이 있는 호스트: {hosts*}',
  'no rule that applies to the host name {host} has a path that matches {path}; other host names with one: {hosts*}':
    '호스트 이름 {host}에 적용되는 규칙에 {path}와 일치하는 경로가 없습니다. 경로가 있는 다른 호스트: {hosts*}',
  'no Ingress or route has the host {host}; the controller of {controller} has rules for {hosts*}':
    '호스트 {host}에 대한 Ingress나 라우트가 없습니다. {controller}의 컨트롤러에 규칙이 있는 호스트: {hosts*}',
  'Service {service} is of type ExternalName: it has no endpoints, and {kind} {name} needs some':
    '서비스 {service}: ExternalName 타입이므로 {kind} {name}에 필요한 엔드포인트가 없습니다',
  '{kind} {name} names Service {service}, which does not exist':
    '{kind} {name}에 적힌 서비스가 없습니다: {service}',
  '{kind} {name} names Service {service}, which does not exist; there is Service {other}':
    '{kind} {name}에 적힌 서비스가 없습니다: {service}. 비슷한 이름의 서비스: {other}',
  '{kind} {name} names Service {service}, which does not exist; Service {other} is in another namespace: an Ingress uses only Services of its own namespace':
    '{kind} {name}에 적힌 서비스가 없습니다: {service}. 다른 네임스페이스에 서비스 {other} 하나가 있지만, Ingress는 자기 네임스페이스의 서비스만 사용합니다',
  '{kind} {name} names Service {service}, which does not exist; Service {other} is in another namespace: namespace of the backendRef is missing':
    '{kind} {name}에 적힌 서비스가 없습니다: {service}. 다른 네임스페이스에 서비스 {other} 하나가 있지만, backendRef에 `namespace`가 없습니다',
  '{kind} {name} names port {port} of Service {service}, which has no port':
    '{kind} {name}: 서비스 {service}의 포트 {port}. 이 서비스에는 포트가 없습니다',
  '{kind} {name} names port {port} of Service {service}, which has {ports*}':
    '{kind} {name}: 서비스 {service}에 포트 {port}가 없습니다. 서비스의 포트: {ports*}',
  'the load balancer sends a header of the PROXY protocol for Service {service}, and the proxy of {controller} expects none (proxyProtocol in lab.yaml)':
    '로드 밸런서가 서비스 {service}의 요청에 PROXY 프로토콜의 헤더를 보내는데, {controller}의 프록시는 기대하지 않습니다(lab.yaml의 proxyProtocol)',
  'the rules of kube-proxy send packets for {address} to the pods of Service {service} at once, and the load balancer, which adds the header of the PROXY protocol, is not on the path: status.loadBalancer.ingress[0].ipMode is VIP, and with Proxy there are no such rules':
    'kube-proxy의 규칙이 목적지가 {address}인 패킷을 서비스 {service}의 파드로 바로 보내므로, PROXY 프로토콜의 헤더를 추가하는 로드 밸런서를 거치지 않습니다. status.loadBalancer.ingress[0].ipMode가 VIP입니다. Proxy이면 이런 규칙이 없습니다',
  'the proxy of {controller} expects a header of the PROXY protocol (proxyProtocol in lab.yaml), which only the load balancer sends: the request does not pass it':
    '{controller}의 프록시는 PROXY 프로토콜의 헤더를 기대하는데(lab.yaml의 proxyProtocol), 헤더를 보내는 로드 밸런서를 요청이 거치지 않습니다',
  'the proxy of {controller} expects a header of the PROXY protocol (proxyProtocol in lab.yaml), and Service {service} has no annotation {annotation}, by which the load balancer sends it':
    '{controller}의 프록시는 PROXY 프로토콜의 헤더를 기대하는데(lab.yaml의 proxyProtocol), 로드 밸런서가 헤더를 보내게 하는 어노테이션({annotation})이 서비스 {service}에 없습니다',
}
