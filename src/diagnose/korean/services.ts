import type { Phrases } from '../../text/phrasebook.js'

/** Why Services and their endpoints do not get a request, and changes of them. */
export const services: Phrases = {
  // selectors, pods and endpoints
  'no pod in namespace {namespace} has the labels {labels} of its selector':
    '{namespace} 네임스페이스에 셀렉터의 레이블({labels})을 모두 가진 파드가 없습니다',
  'no pod in namespace {namespace} has the labels {labels} of its selector; pod {pod} has {other}':
    '{namespace} 네임스페이스에 셀렉터의 레이블({labels})을 모두 가진 파드가 없습니다. 파드 {pod}의 레이블: {other}',
  'pod {pod} has them, but a Service selects only pods of its own namespace (lab {lab})':
    '파드 {pod}에 이 레이블이 있지만, 서비스는 자기 네임스페이스의 파드만 선택합니다({lab} 랩)',
  '{kind} {name} has 0 replicas': '{kind} {name}: 레플리카가 0개입니다',
  'spec.selector: {before} → {after}, as pod {pod} has it':
    'spec.selector: {before} → {after} (파드 {pod}의 레이블과 같음)',
  'Service {service} has no selector, and no EndpointSlice has a ready endpoint for it':
    '서비스 {service}에 셀렉터가 없고, 준비된 엔드포인트가 있는 엔드포인트슬라이스도 없습니다',
  'Service {service} has no endpoints; pods that its selector selects are not attached':
    '서비스 {service}에 엔드포인트가 없습니다. 셀렉터와 일치하는 파드는 첨부되지 않았습니다',
  'Service {service} has no ready endpoint: {addresses*} are not ready; pods that its selector selects are not attached':
    '서비스 {service}에 준비된 엔드포인트가 없습니다. 준비되지 않은 주소: {addresses*}. 셀렉터와 일치하는 파드는 첨부되지 않았습니다',
  'no container port of the pods is named {name}: the port has no endpoints':
    '파드에 이름이 {name}인 컨테이너 포트가 없으므로 이 포트에는 엔드포인트가 없습니다',
  'no container port of the pods is named {name}; there is {others*}: the port has no endpoints':
    '파드에 이름이 {name}인 컨테이너 포트가 없으므로 이 포트에는 엔드포인트가 없습니다. 파드에 있는 이름: {others*}',
  'the port of Service {service} is {port!}, and EndpointSlice {slice} has no port: kube-proxy joins ports by name and protocol':
    '서비스 {service}의 포트는 {port!}인데, 엔드포인트슬라이스 {slice}에는 포트가 없습니다. kube-proxy는 이름과 프로토콜로 포트를 연결합니다',
  'the port of Service {service} is {port!}, and EndpointSlice {slice} has {ports!}: kube-proxy joins ports by name and protocol':
    '서비스 {service}의 포트는 {port!}인데, 엔드포인트슬라이스 {slice}의 포트는 {ports!}입니다. kube-proxy는 이름과 프로토콜로 포트를 연결합니다',
  'without a name': '이름 없음',
  '{address} is in none of the ranges {ranges*}': '{address}: 어느 범위에도 속하지 않습니다({ranges*})',
  'spec.internalTrafficPolicy is Local, and no ready pod of the Service is on {node}; there are pods on {nodes*}':
    'spec.internalTrafficPolicy가 Local이고, {node}에 서비스의 준비된 파드가 없습니다. 파드가 있는 노드: {nodes*}',
  'spec.externalTrafficPolicy is Local, and no ready pod of the Service is on {node}; there are pods on {nodes*}':
    'spec.externalTrafficPolicy가 Local이고, {node}에 서비스의 준비된 파드가 없습니다. 파드가 있는 노드: {nodes*}',
  'spec.internalTrafficPolicy is Local, and no ready pod of the Service is on {node}; there are pods on ':
    'spec.internalTrafficPolicy가 Local이고, {node}에 서비스의 준비된 파드가 없습니다',
  'spec.externalTrafficPolicy is Local, and no ready pod of the Service is on {node}; there are pods on ':
    'spec.externalTrafficPolicy가 Local이고, {node}에 서비스의 준비된 파드가 없습니다',
  'spec.externalTrafficPolicy: Local → Cluster (pods then see the node’s address)':
    'spec.externalTrafficPolicy: Local → Cluster (파드에는 노드의 주소가 보이게 됩니다)',
  // pods that are not ready
  'the {probe} of container {container} in pod {pod} fails ({pods} pods): nothing listens on port {port}':
    '파드 {pod}에 있는 컨테이너 {container}의 {probe} 실패(파드 {pods}개). {port}번 포트에서 수신 대기하는 프로세스가 없습니다',
  'the {probe} of container {container} in pod {pod} fails: nothing listens on port {port}':
    '파드 {pod}에 있는 컨테이너 {container}의 {probe} 실패. {port}번 포트에서 수신 대기하는 프로세스가 없습니다',
  'the {probe} of container {container} in pod {pod} fails: nothing listens on port {port}, the pod listens on {ports*}':
    '파드 {pod}에 있는 컨테이너 {container}의 {probe} 실패. {port}번 포트에서 수신 대기하는 프로세스가 없습니다. 파드가 수신 대기하는 포트: {ports*}',
  'the {probe} of container {container} in pod {pod} fails ({pods} pods): nothing listens on port {port}, the pod listens on {ports*}':
    '파드 {pod}에 있는 컨테이너 {container}의 {probe} 실패(파드 {pods}개). {port}번 포트에서 수신 대기하는 프로세스가 없습니다. 파드가 수신 대기하는 포트: {ports*}',
  'pod {pod} has no node: {reason*}': '파드 {pod}에 노드가 없습니다. “{reason*}”',
  'pod {pod} has no node ({pods} pods): {reason*}':
    '파드 {pod}에 노드가 없습니다(파드 {pods}개). “{reason*}”',
  'container {container} of pod {pod} has ended with exit code {code} ({reason*})':
    '파드 {pod}의 컨테이너 {container}: 종료 코드 {code}번으로 끝났습니다({reason*})',
  'container {container} of pod {pod} ({pods} pods) has ended with exit code {code} ({reason*})':
    '파드 {pod}의 컨테이너 {container}(파드 {pods}개): 종료 코드 {code}번으로 끝났습니다({reason*})',
  'container {container} of pod {pod} has ended with exit code {code}, after {restarts!} ({reason*})':
    '파드 {pod}의 컨테이너 {container}: 종료 코드 {code}번으로 끝났습니다({restarts!}, {reason*})',
  'container {container} of pod {pod} ({pods} pods) has ended with exit code {code}, after {restarts!} ({reason*})':
    '파드 {pod}의 컨테이너 {container}(파드 {pods}개): 종료 코드 {code}번으로 끝났습니다({restarts!}, {reason*})',
  '1 restart': '재시작 1번',
  '{count} restarts': '재시작 {count}번',
  'container {container} of pod {pod} does not run: {reason*}':
    '파드 {pod}의 컨테이너 {container}: 실행되고 있지 않습니다({reason*})',
  'container {container} of pod {pod} ({pods} pods) does not run: {reason*}':
    '파드 {pod}의 컨테이너 {container}(파드 {pods}개): 실행되고 있지 않습니다({reason*})',
  'the {probe} of container {container} of pod {pod} does not succeed: {what!}':
    '파드 {pod}에 있는 컨테이너 {container}의 {probe}: 성공하지 못합니다. {what!}',
  'the {probe} of container {container} of pod {pod} ({pods} pods) does not succeed: {what!}':
    '파드 {pod}에 있는 컨테이너 {container}의 {probe}(파드 {pods}개): 성공하지 못합니다. {what!}',
  'its command is {command*}': '명령: `{command*}`',
  'it gets {path} on port {port}': '{port}번 포트의 {path} 경로를 요청합니다',
  'it connects to port {port}': '{port}번 포트에 연결합니다',
  'it calls port {port} with gRPC': '{port}번 포트를 gRPC로 호출합니다',
  'it has no handler': '핸들러가 없습니다',
  'pod {pod} is not ready: its readiness gate {gate} is not true, which another program sets':
    '파드 {pod}: 준비되지 않았습니다. 다른 프로그램이 설정하는 레디니스 게이트 {gate}의 값이 true가 아닙니다',
  'pod {pod} is not ready ({pods} pods): its readiness gate {gate} is not true, which another program sets':
    '파드 {pod}(파드 {pods}개): 준비되지 않았습니다. 다른 프로그램이 설정하는 레디니스 게이트 {gate}의 값이 true가 아닙니다',
  'pod {pod} is not ready': '파드 {pod}: 준비되지 않았습니다',
  'pod {pod} is not ready ({pods} pods)': '파드 {pod}(파드 {pods}개): 준비되지 않았습니다',
  'metadata.labels of {node} also has {labels*}, which pod {pod} selects':
    '{node}의 metadata.labels에 {labels*} 추가(파드 {pod}의 nodeSelector)',
  'metadata.labels of {node} also has {labels*}, which the DaemonSet {name} selects':
    '{node}의 metadata.labels에 {labels*} 추가(DaemonSet {name}의 nodeSelector)',
  // receivers
  'nothing listens on {protocol} port {port} of {owner!}; ports that answer: {ports*}':
    '{owner!}의 {protocol} 포트 {port}번에서 수신 대기하는 프로세스가 없습니다. 응답하는 포트: {ports*}',
  'no container of {owner!} declares {protocol} port {port}':
    '{owner!}: {protocol} 포트 {port}번을 선언한 컨테이너가 없습니다',
  'no container of {owner!} declares {protocol} port {port}; it declares: {ports*}':
    '{owner!}: {protocol} 포트 {port}번을 선언한 컨테이너가 없습니다. 선언된 포트: {ports*}',
  'the plan does not show whether {program!} listens on {protocol} port {port} for other hosts':
    '{program!}: 다른 호스트를 위해 {protocol} 포트 {port}번에서 수신 대기하는지는 계획에 나오지 않습니다',
  'the plan does not show whether {program!} listens on {protocol} port {port} for other hosts; ports that answer: {ports*}':
    '{program!}: 다른 호스트를 위해 {protocol} 포트 {port}번에서 수신 대기하는지는 계획에 나오지 않습니다. 응답하는 포트: {ports*}',
  'no pod, node or client has the address {address}':
    '{address}: 이 주소를 가진 파드, 노드, 클라이언트가 없습니다',
  'no pod, node or client has the address {address}, an endpoint':
    '{address}: 엔드포인트인데, 이 주소를 가진 파드, 노드, 클라이언트가 없습니다',
  'no pod, node or client has the address {address}, an endpoint of Service {service}':
    '{address}: 서비스 {service}의 엔드포인트인데, 이 주소를 가진 파드, 노드, 클라이언트가 없습니다',
  // the addresses and ports that a request calls
  '{number} is the node port of Service {service}, but the rules of kube-proxy leave out {address}':
    '{number}번: 서비스 {service}의 노드포트이지만, kube-proxy의 규칙에서 이 주소({address})는 제외됩니다',
  '{address} is an address of Service {service}: the rules of kube-proxy are for its ports only ({ports*})':
    '{address}: 서비스 {service}의 주소입니다. kube-proxy의 규칙은 서비스의 포트({ports*})에 대한 것뿐입니다',
  '{address} is an address of Service {service}: the rules of kube-proxy are for its ports only ({ports*}), and no host has the address':
    '{address}: 서비스 {service}의 주소입니다. kube-proxy의 규칙은 서비스의 포트({ports*})에 대한 것뿐이고, 이 주소를 가진 호스트가 없습니다',
  'Service {service} has no port {port}; it has {ports*}':
    '서비스 {service}에 {port} 포트가 없습니다. 서비스의 포트: {ports*}',
  'port {port} of Service {service} is for {protocol}, and the request uses {other}':
    '서비스 {service}의 {port}번 포트는 {protocol} 포트인데, 요청은 {other}입니다',
  '{number} is a node port of Service {service} for {protocol}, and the request uses {other}':
    '{number}: 서비스 {service}의 {protocol} 노드포트인데, 요청은 {other}입니다',
  '{number} is the node port of Service {service} for {families*} only (ipFamilyPolicy {policy}), and the request uses {family}':
    '{number}: 서비스 {service}의 {families*} 전용 노드포트인데(ipFamilyPolicy {policy}), 요청은 {family}입니다',
  'no Service has the node port {number}, and nothing on {node} listens on it':
    '노드포트가 {number}인 서비스가 없고, {node}에서 이 포트로 수신 대기하는 프로세스도 없습니다',
  'no Service has the node port {number}; Service {service} has {port}':
    '노드포트가 {number}인 서비스가 없습니다. 서비스 {service}의 노드포트: {port}',
  'no Service has the node port {number}; Service {service} has {port} for its port {own}':
    '노드포트가 {number}인 서비스가 없습니다. 서비스 {service}의 포트 {own}에 대한 노드포트: {port}',
  '{address} is in the range of cluster IPs, and no Service has it':
    '{address}: 클러스터 IP의 범위에 있지만, 이 주소를 가진 서비스가 없습니다',
  '{address} is in the range of cluster IPs, and no Service has it; Service {service} has {other}':
    '{address}: 클러스터 IP의 범위에 있지만, 이 주소를 가진 서비스가 없습니다. 서비스 {service}의 주소: {other}',
  '{address} is the cluster IP of Service {service}: only the rules on nodes translate it, for packets of the node and its pods; {client} is outside the cluster, where no route leads to it':
    '{address}: 서비스 {service}의 클러스터 IP입니다. 노드의 규칙만이, 노드와 그 파드의 패킷에 대해서만 변환합니다. {client}: 클러스터 외부에 있고, 여기에는 이 주소로 가는 경로가 없습니다',
  '{address} is in the pool of the load balancer, and no Service has it':
    '{address}: 로드 밸런서의 주소 풀에 있지만, 이 주소를 가진 서비스가 없습니다',
  '{address} is in the pool of the load balancer, and no Service has it; Service {service} has {other}':
    '{address}: 로드 밸런서의 주소 풀에 있지만, 이 주소를 가진 서비스가 없습니다. 서비스 {service}의 주소: {other}',
  '{address} is the address of the load balancer for Service {service}, and no node announces it: it has no ready endpoint':
    '{address}: 서비스 {service}의 로드 밸런서 주소인데, 이 주소를 알리는 노드가 없습니다. 서비스에 준비된 엔드포인트가 없습니다',
  '{address} is the address of the load balancer for Service {service}, and no node announces it: no node has a ready endpoint of it (externalTrafficPolicy Local)':
    '{address}: 서비스 {service}의 로드 밸런서 주소인데, 이 주소를 알리는 노드가 없습니다. 서비스의 준비된 엔드포인트가 있는 노드가 없습니다(externalTrafficPolicy Local)',
  '{address} is the address of the load balancer for Service {service}, and no node announces it: each node that could is not ready, or has the label {label}':
    '{address}: 서비스 {service}의 로드 밸런서 주소인데, 이 주소를 알리는 노드가 없습니다. 알릴 수 있는 모든 노드가 준비되지 않았거나 레이블 {label} 때문에 제외되었습니다',
  '{address} is the address of the load balancer for Service {service}, and no node announces it':
    '{address}: 서비스 {service}의 로드 밸런서 주소인데, 이 주소를 알리는 노드가 없습니다',
  '{address} is an external IP of Service {service}: no host has it, and no route of {place} leads it to a node, whose rules translate it':
    '{address}: 서비스 {service}의 외부 IP입니다. 이 주소를 가진 호스트가 없고, 주소를 변환하는 규칙이 있는 노드로 가는 경로가 {place}에 없습니다',
  '{number} is the healthCheckNodePort of Service {service}, and no ready pod of it is on {node}: a load balancer sends nothing to {other}; no pod is ready':
    '{number}: 서비스 {service}의 healthCheckNodePort입니다. {node}에 서비스의 준비된 파드가 없으므로 로드 밸런서는 {other}에 아무것도 보내지 않습니다. 준비된 파드가 없습니다',
  '{number} is the healthCheckNodePort of Service {service}, and no ready pod of it is on {node}: a load balancer sends nothing to {other}; there are pods on {nodes*}':
    '{number}: 서비스 {service}의 healthCheckNodePort입니다. {node}에 서비스의 준비된 파드가 없으므로 로드 밸런서는 {other}에 아무것도 보내지 않습니다. 파드가 있는 노드: {nodes*}',
  // other requests
  'call {to}': '{to} 호출',
  'call {to}, {what!}': '{to} 호출({what!})',
  'call {to} with the host name {host} (--host)': '{to} 호출(호스트 이름 {host}, --host)',
  'call {to} with the host name {host} (--host), {what!}': '{to} 호출(호스트 이름 {host}, --host. {what!})',
  'call {to} over UDP (with --udp)': '{to} 호출(UDP, --udp 사용)',
  'call {to} over TCP (without --udp)': '{to} 호출(TCP, --udp 없이)',
  'a node with a pod: {node}': '파드가 있는 노드: {node}',
  'the node port of Service {service}': '서비스 {service}의 노드포트',
  'the node port of Service {service} on {node}': '{node}에 있는 서비스 {service}의 노드포트',
  'the port of Service {service}': '서비스 {service}의 포트',
  'the port of Service {service} for {protocol}': '서비스 {service}의 {protocol} 포트',
  'the node port of Service {service} for {protocol}': '서비스 {service}의 {protocol} 노드포트',
  'the address of Service {service}': '서비스 {service}의 주소',
  'an address of Service {service} for clients outside': '외부 클라이언트를 위한 서비스 {service}의 주소',
  'Service {service}, which has port {port}': '{port}번 포트가 있는 서비스 {service}',
  'the health check of {node}, which has a pod': '파드가 있는 {node}의 헬스 체크',
  'port {port} of {owner!}': '{owner!}의 {port}번 포트',
}
