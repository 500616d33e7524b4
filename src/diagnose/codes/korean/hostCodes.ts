import type { ExplanationText } from '../explanation.js'
import type { hostCodes } from '../hostCodes.js'

/** Settings, routes, links and connection tracking of hosts, in Korean. */
export const koreanHostCodes: Readonly<Record<keyof typeof hostCodes, ExplanationText>> = {
  'ip-forward-off': {
    title: '노드가 패킷을 포워딩하지 않음',
    text: '노드는 `net.ipv4.ip_forward`(IPv6는 `net.ipv6.conf.all.forwarding`)가 1일 때만 파드의 패킷을 라우팅합니다. 0이면 커널은 다른 호스트로 가는 패킷을 아무 표시 없이 버립니다.',
    fix: '`sysctl -w net.ipv4.ip_forward=1`을 실행하고, 재부팅하면 원래대로 돌아가므로 /etc/sysctl.d에 파일도 만드세요.',
  },
  'rp-filter': {
    title: '엄격한 역방향 경로 필터링이 패킷을 버림',
    text: '`rp_filter`가 1이면 커널은 패킷의 출발지로 가는 자신의 경로가 다른 인터페이스를 쓸 때 그 패킷을 버립니다. 방향에 따라 경로가 다르기만 해도(노드의 두 인터페이스, VPN, 터널) 이런 일이 생깁니다. 인터페이스에 적용되는 값은 `all`의 값과 자기 값 중 큰 것입니다.',
    fix: '경로를 고치거나, `rp_filter`를 2(느슨함)로 설정하세요.',
  },
  'bridge-nf-off': {
    title: '같은 노드에 있는 파드 사이의 패킷이 규칙을 거치지 않음',
    text: '`net.bridge.bridge-nf-call-iptables`가 0이면 브리지의 두 포트 사이를 지나는 패킷은 iptables를 거치지 않습니다. 그러면 같은 노드의 다른 파드로 가는 응답은 서비스의 주소를 되돌려 줄 연결 추적(conntrack)을 거치지 않고, 응답은 호출한 적이 없는 주소에서 호출자에게 도착합니다.',
    fix: '`modprobe br_netfilter`와 `sysctl -w net.bridge.bridge-nf-call-iptables=1`을 실행하세요.',
  },
  'route-localnet-off': {
    title: '커널이 127.0.0.0/8의 패킷을 라우팅하지 않음',
    text: '출발지나 목적지가 루프백 주소인 패킷은 `route_localnet`이 1일 때만 다른 인터페이스로 나가거나 들어옵니다. kube-proxy는 127.0.0.1에서 노드포트를 제공할 때 이 값을 설정합니다.',
    fix: '노드의 주소를 호출하거나, `net.ipv4.conf.all.route_localnet`을 1로 설정하세요.',
  },
  'host-setting': {
    title: '커널 설정 때문에 패킷이 버려짐',
    text: '호스트의 sysctl 하나가 커널이 이 패킷을 버리는 값으로 설정되어 있습니다. 어느 것인지는 결과에 나옵니다.',
    fix: '결과에 나온 값을 설정하세요.',
  },
  'hairpin-off': {
    title: '파드가 서비스를 거쳐 자기 자신에 접속하지 못함',
    text: '서비스가 파드의 요청을 그 파드 자신에게 보내면, 패킷은 브리지에 들어온 포트로 다시 나가야 합니다. 브리지는 그 포트의 헤어핀 모드가 켜져 있을 때만 그렇게 합니다.',
    fix: '`bridge link set dev PORT hairpin on`을 실행하세요. CNI 플러그인 bridge에서는 `hairpinMode: true`입니다.',
  },
  'mtu-too-small': {
    title: '링크에서 큰 패킷이 사라짐',
    text: '링크 한쪽 끝의 인터페이스가 받는 패킷의 크기가 다른 쪽 끝이 보내는 것보다 작습니다. 링크는 이를 알리지 않으므로 경로 MTU 탐색도 도움이 되지 않습니다. 핸드셰이크와 짧은 응답은 통과하고, 큰 전송은 멈춥니다.',
    fix: '양쪽 끝의 MTU를 같게 하고, 터널의 MTU는 헤더만큼(VXLAN: 50바이트) 작게 설정하세요.',
  },
  'route-missing': {
    title: '호스트에 이 주소로 가는 경로가 없음',
    text: '호스트의 라우팅 테이블에 이 주소로 가는 경로가 없습니다. CNI 플러그인이나 다른 노드의 파드로 가는 경로를 쓰는 프로그램이 경로를 쓰지 않았거나, 다른 무엇이 경로를 제거했습니다.',
    fix: '경로를 추가하거나, 경로를 쓰는 프로그램을 다시 시작하세요.',
  },
  'overlapping-range': {
    title: '주소 범위가 두 번 사용됨',
    text: '호스트의 인터페이스에 있는 주소의 범위에 다른 노드에 있는 파드의 주소가 들어 있습니다. Docker의 브리지나 VPN이 그 예입니다. 인터페이스의 경로가 더 구체적이므로, 이 파드로 가는 패킷은 그 인터페이스의 링크를 벗어나지 못합니다.',
    fix: '인터페이스나 파드 네트워크에 다른 범위를 주세요.',
  },
  'asymmetric-path': {
    title: '호스트에 연결의 한 방향만 보임',
    text: '호출자의 패킷은 어떤 호스트를 지나는데 응답은 그 호스트를 지나지 않습니다. 그 호스트의 연결 추적(conntrack)은 첫 패킷에 대한 응답을 보지 못하고, 이후의 패킷을 유효하지 않은 것(INVALID)으로 봅니다. 유효하지 않은 패킷은 연결을 리셋할 수 있으므로 kube-proxy의 규칙이 버립니다.',
    fix: '양방향의 패킷이 같은 호스트를 지나도록 경로를 고치세요.',
  },
  'host-address-missing': {
    title: '호스트에 자기 주소가 없음',
    text: '노드, 파드 또는 클라이언트의 인터페이스에서 있어야 할 주소가 사라졌습니다. 주소가 사라지면 커널은 그 주소를 쓰는 경로도 제거합니다.',
    fix: '주소와 경로를 다시 추가하거나, 인터페이스를 설정하는 프로그램을 다시 시작하세요.',
  },
  'link-down': {
    title: '링크가 내려가 있음',
    text: '인터페이스나 링크의 반대쪽 끝이 내려가 있습니다. 패킷이 지나지 못하고, 커널은 이를 쓰는 경로를 제거합니다.',
    fix: '`ip link set dev DEVICE up`을 실행하고, 없어진 경로를 다시 추가하세요.',
  },
  'policy-routing': {
    title: '정책 라우팅의 규칙이 패킷을 다른 곳으로 보냄',
    text: '`ip rule`의 규칙은 우선순위의 순서대로 평가됩니다. 메인 테이블보다 앞에 있는 규칙이 패킷과 일치하고, 그 테이블에는 다른 경로가 있습니다.',
    fix: '규칙을 제거하거나, 그 테이블에 클러스터의 경로를 추가하세요.',
  },
  'stale-conntrack-entry': {
    title: 'conntrack 항목이 이전 목적지를 유지함',
    text: 'nat의 규칙은 연결의 첫 패킷에 대해서만 평가됩니다. 포트를 계속 쓰는 UDP 클라이언트의 패킷은, 그사이 규칙이나 엔드포인트가 바뀌었더라도 이전 패킷이 만든 항목을 따릅니다.',
    fix: '`conntrack -D`로 항목을 삭제하세요. kube-proxy는 제거하는 엔드포인트의 항목을 삭제합니다.',
  },
  'conntrack-full': {
    title: '연결 추적이 가득 참',
    text: '커널은 최대 `net.netfilter.nf_conntrack_max`개의 연결을 추적합니다. 연결이 그만큼 있으면 새 연결의 첫 패킷을 버리고 "nf_conntrack: table full, dropping packet"을 로그에 남깁니다.',
    fix: '한도를 늘리고(kube-proxy의 `conntrack.maxPerCore`와 `conntrack.min`), 무엇이 그렇게 많은 연결을 맺는지 찾으세요.',
  },
  'ports-exhausted': {
    title: '남은 출발지 포트가 없음',
    text: '연결은 주소와 포트로 구별됩니다. 한 목적지로 가는 마스커레이드의 모든 포트가 사용 중이므로, 커널은 이후의 연결을 버립니다.',
    fix: '출발지 주소나 목적지를 늘리거나, 연결을 줄이거나 더 오래 유지하거나, `ip_local_port_range`를 넓히세요.',
  },
  'answer-bypasses-nat': {
    title: '응답이 요청을 변환한 호스트를 거치지 않음',
    text: '요청의 목적지를 변환하는 호스트는 응답도 보아야 합니다. 그 호스트의 연결 추적(conntrack)이 변환을 되돌리기 때문입니다. 응답이 다른 길로 가면 호출한 적이 없는 주소에서 호출자에게 도착하고, 버려집니다.',
    fix: '응답이 그 호스트를 거쳐 돌아오게 하세요. 마스커레이드하거나, 양방향의 경로를 같게 합니다.',
  },
  'masquerade-missing': {
    title: '노드가 요청을 마스커레이드하지 않음',
    text: '외부에서 온 요청을 노드가 다른 노드의 파드로 보낼 때는, 응답이 그 노드를 거쳐 돌아오도록 출발지가 노드의 주소여야 합니다. kube-proxy는 이런 요청에 마크하고(0x4000) KUBE-POSTROUTING에서 마스커레이드합니다. 이 규칙이 없거나, 패킷이 이 규칙에 도달하지 않습니다.',
    fix: '노드에서 kube-proxy를 다시 시작하세요. 규칙을 다시 작성합니다.',
  },
}
