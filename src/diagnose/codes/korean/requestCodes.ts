import type { ExplanationText } from '../explanation.js'
import type { requestCodes } from '../requestCodes.js'

/** Requests that no Service answers as they are made, in Korean. */
export const koreanRequestCodes: Readonly<Record<keyof typeof requestCodes, ExplanationText>> = {
  'service-port-absent': {
    title: '호출한 포트가 서비스에 없음',
    text: 'kube-proxy는 서비스의 포트에 대해서만 규칙을 작성합니다. 클러스터 IP의 다른 포트로 간 요청은 어느 규칙과도 일치하지 않고, 어떤 호스트도 갖지 않은 주소를 향해 노드를 떠납니다.',
    fix: '`spec.ports`에 있는 포트를 호출하거나, 포트를 추가하세요. 컨테이너의 포트는 서비스의 포트가 아닙니다.',
  },
  'service-answers-no-ping': {
    title: '서비스의 주소는 ping에 응답하지 않음',
    text: '서비스의 주소는 그 포트에 대한 규칙에만 있습니다. iptables와 nftables 모드에서는 이 주소를 가진 인터페이스가 없습니다. 에코 요청은 이 규칙들과 일치하지 않습니다.',
    fix: '대신 `curl`이나 `nc`로 서비스의 포트를 호출하세요.',
  },
  'node-port-absent': {
    title: '호출한 노드포트를 가진 서비스가 없음',
    text: '노드의 이 포트는 노드포트가 아니고, 노드에서 수신 대기하는 프로세스도 없습니다. 노드는 리셋으로 응답합니다.',
    fix: '서비스의 `nodePort`를 호출하세요. `port`와는 다른 번호입니다.',
  },
  'node-port-on-loopback': {
    title: '이 루프백 주소에서는 노드포트가 동작하지 않음',
    text: 'iptables 모드에서 노드포트는 `iptables.localhostNodePorts`가 true이고 `route_localnet`이 켜져 있을 때만 127.0.0.1에서 동작합니다. ::1에서는 동작하지 않고, nftables 모드에서는 어느 루프백 주소에서도 동작하지 않으며, ipvs 모드에서도 마찬가지입니다.',
    fix: '노드 자신의 주소를 호출하세요.',
  },
  'cluster-ip-absent': {
    title: '호출한 클러스터 IP를 가진 서비스가 없음',
    text: '이 주소는 클러스터 IP의 범위에 있지만 이 주소를 가진 서비스가 없습니다. 이 주소를 변환하는 규칙도, 이 주소를 가진 호스트도 없습니다.',
    fix: '서비스의 현재 주소나 DNS 이름을 호출하세요. 서비스가 삭제되면 그 주소는 반납됩니다.',
  },
  'cluster-ip-from-outside': {
    title: '클러스터 외부의 클라이언트가 클러스터 IP를 호출함',
    text: '클러스터 IP는 노드의 규칙만이, 그 노드를 지나는 패킷에 대해서만 변환합니다. 클러스터 외부의 클라이언트에는 이 주소를 노드로 보내는 경로가 없습니다.',
    fix: '노드포트나 로드 밸런서의 주소를 호출하거나, 노드로 가는 경로를 추가하세요.',
  },
  'load-balancer-address-absent': {
    title: '이 로드 밸런서 주소를 가진 서비스가 없음',
    text: '이 주소는 로드 밸런서의 주소 풀에 있지만, 지금 이 주소를 가진 서비스가 없습니다.',
    fix: '서비스의 `status.loadBalancer`에 있는 주소를 호출하세요.',
  },
  'port-unserved': {
    title: '포트에서 수신 대기하는 프로세스가 없음',
    text: '패킷은 그 주소를 가진 호스트에 도착하지만, 그 포트에서 수신 대기하는 프로세스가 없습니다. 호스트의 커널은 리셋으로 응답합니다. UDP에서는 ICMP 오류로 응답합니다.',
    fix: '프로세스가 수신 대기하는 포트를 호출하거나, 프로세스를 시작하세요.',
  },
  'protocol-different': {
    title: '요청이 서버와 다른 프로토콜로 시작함',
    text: '연결은 맺어지지만 TLS나 HTTP가 실패합니다. TLS를 쓰지 않는 서버에 https로, TLS 포트에 http로, 또는 HTTP/1.1 서버에 HTTP/2로 요청한 경우입니다.',
    fix: '다른 스킴을 쓰거나, 그 프로토콜을 쓰는 포트를 호출하세요.',
  },
}
