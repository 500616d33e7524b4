import type { ExplanationText } from '../explanation.js'
import type { ruleCodes } from '../ruleCodes.js'

/** Rules of firewalls and of kube-proxy, in Korean. */
export const koreanRuleCodes: Readonly<Record<keyof typeof ruleCodes, ExplanationText>> = {
  'forward-policy-drop': {
    title: 'FORWARD의 정책이 DROP임',
    text: '파드의 패킷은 노드의 FORWARD 체인을 지납니다. 이 패킷을 허용하는 규칙이 없고, 체인의 정책은 DROP입니다. Docker와 ufw가 이렇게 설정합니다. KUBE-FORWARD는 0x4000 마크가 있는 패킷과 이미 알려진 연결의 패킷만 허용합니다.',
    fix: '`iptables -P FORWARD ACCEPT`를 실행하거나, FORWARD에 파드의 범위를 허용하는 규칙을 추가하세요.',
  },
  'chain-policy-drop': {
    title: '체인의 정책이 DROP임',
    text: '내장 체인의 어느 규칙도 패킷을 허용하지 않고, 체인의 정책은 DROP입니다. INPUT에서는 노드 사이의 터널 패킷도 해당합니다. 이 패킷은 노드 자신에게 온 것이기 때문입니다.',
    fix: '패킷을 허용하는 규칙을 추가하거나, 정책을 ACCEPT로 설정하세요.',
  },
  'foreign-rule': {
    title: '다른 프로그램의 규칙이 결정함',
    text: 'kube-proxy도 CNI 플러그인도 작성하지 않은 규칙이 패킷을 버리거나, 거부하거나, 변환하거나, 마크합니다. nat에서는 연결을 처음으로 변환하는 규칙이 결정하며, kube-proxy의 규칙은 그다음에 있습니다.',
    fix: '규칙을 제거하거나, 그 프로그램이 파드와 서비스의 범위를 제외하게 하세요.',
  },
  'dropped-by-rule': {
    title: '규칙이 패킷을 버리거나 거부함',
    text: '결과에는 호스트, 테이블, 체인, 규칙이 나옵니다. DROP이면 호출자는 계속 기다리고, REJECT는 즉시 응답합니다.',
    fix: '어느 프로그램이 규칙을 작성했는지 찾고, 그 설정을 바꾸세요.',
  },
  'dropped-by-kernel': {
    title: '커널이 패킷을 버림',
    text: '패킷을 버리는 것은 규칙이 아니라 커널입니다. 주소나 연결의 상태, 또는 자원 때문입니다. 이유는 결과에 있습니다.',
    fix: '결과에 나온 이유를 확인하세요.',
  },
  'address-absent': {
    title: '이 주소를 가진 호스트가 없음',
    text: '패킷이 나가는 링크에 이 주소를 가진 호스트가 없습니다. ARP 요청이나 neighbor solicitation에 아무도 응답하지 않습니다.',
    fix: '호스트가 가진 주소를 호출하거나, 이 링크로 가는 경로를 고치세요.',
  },
  'connection-closed': {
    title: '프록시가 연결을 닫거나 오류로 응답함',
    text: '프록시(Ingress 컨트롤러, 로드 밸런서, userspace 모드의 kube-proxy)가 연결을 받아들이고 요청은 전달하지 않습니다. 이유는 결과에 있습니다.',
    fix: '결과에 나온 이유를 확인하세요.',
  },
  'not-predicted': {
    title: '그다음에 일어나는 일을 알 수 없음',
    text: '읽을 수 없었던 것이나 이 버전이 평가하지 않는 것에 따라 경로가 달라집니다. 추측으로 답하지 않습니다. 요청은 통과할 수도 있습니다.',
    fix: '실행 중인 랩에서 요청을 보내 확인하세요.',
  },
  'rules-missing': {
    title: 'kube-proxy의 규칙이 빠져 있음',
    text: '이 오브젝트에 대해 kube-proxy가 작성하는 테이블, 체인 또는 규칙이 없습니다. kube-proxy가 실행되고 있지 않거나, API 서버에 접속하지 못하거나, 다른 무엇이 규칙을 지웠습니다. 마지막 경우에는 다음 전체 동기화 때 다시 작성합니다.',
    fix: '노드에서 kube-proxy를 다시 시작하고, 무엇이 규칙을 지웠는지 찾으세요.',
  },
  'cluster-cidr-wrong': {
    title: 'kube-proxy의 clusterCIDR에 파드가 속하지 않음',
    text: '`detectLocalMode: ClusterCIDR`이면 kube-proxy는 `clusterCIDR`로 파드를 구별합니다. 이 범위 밖의 파드는 클러스터 외부의 클라이언트로 취급됩니다. 서비스로 가는 요청은 마스커레이드되고, `externalTrafficPolicy: Local`이 적용됩니다.',
    fix: '`clusterCIDR`을 파드 네트워크로 바꾸고, 모든 노드에서 kube-proxy를 다시 시작하세요.',
  },
  'node-port-addresses': {
    title: 'kube-proxy의 nodePortAddresses에 이 주소가 빠져 있음',
    text: '`nodePortAddresses`가 있으면 노드포트는 노드의 주소 중 이 범위에 속하는 주소에서만 동작합니다. 인터페이스가 여럿인 노드에서는 호출한 주소가 다른 인터페이스의 것일 수 있습니다. `primary`는 노드의 `status.addresses`에 있는 주소입니다.',
    fix: '주소의 범위를 `nodePortAddresses`에 추가하고 kube-proxy를 다시 시작하거나, 범위에 속하는 주소를 호출하세요.',
  },
  'rules-stale': {
    title: 'kube-proxy의 규칙이 오브젝트보다 오래됨',
    text: '오브젝트에 더 이상 없는 서비스나 엔드포인트의 체인이 있습니다. kube-proxy가 변경을 알지 못했거나, 규칙을 쓰지 못했습니다.',
    fix: '노드에서 kube-proxy를 다시 시작하세요.',
  },
  'rules-extra': {
    title: 'kube-proxy의 체인에 다른 규칙이 있음',
    text: '다른 무엇이 kube-proxy의 체인에 규칙을 추가했습니다. kube-proxy가 체인을 다시 작성할 때까지 적용됩니다.',
    fix: '규칙을 제거하거나, 노드에서 kube-proxy를 다시 시작하세요.',
  },
  'rules-different': {
    title: 'kube-proxy의 규칙이 다른 형태임',
    text: '규칙은 있지만 한 부분이 이 오브젝트에 대해 kube-proxy가 작성하는 것과 다릅니다. 오래된 버전이거나, 설정(`clusterCIDR`, 마스커레이드 비트)이 다르거나, 누가 고친 것입니다.',
    fix: 'kube-proxy의 버전과 설정을 비교하고, kube-proxy를 다시 시작하세요.',
  },
  'rules-out-of-order': {
    title: 'kube-proxy의 규칙이 다른 순서로 있음',
    text: '규칙은 모두 있지만, 순서가 달라 먼저 적용되는 규칙이 바뀝니다.',
    fix: '노드에서 kube-proxy를 다시 시작하세요. 체인을 다시 작성합니다.',
  },
}
