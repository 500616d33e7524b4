import type { ExplanationText } from '../explanation.js'
import type { policyCodes } from '../policyCodes.js'

/** NetworkPolicies and what enforces them, in Korean. */
export const koreanPolicyCodes: Readonly<Record<keyof typeof policyCodes, ExplanationText>> = {
  'denied-by-policy': {
    title: 'NetworkPolicy가 패킷을 거부함',
    text: '어떤 정책이 호출되는 파드(ingress)나 호출하는 파드(egress)를 격리하고, 그런 정책의 어느 규칙도 이 패킷을 허용하지 않습니다. 정책은 허용만 합니다. 파드를 선택하는 모든 정책의 규칙을 합친 것이 적용되고, 연결은 양쪽에서 모두 허용되어야 합니다. 결과에는 해당 정책들과 거의 일치하는 규칙이 나옵니다.',
    fix: '파드를 선택하는 정책의 규칙에서 상대와 포트를 허용하거나, 맞지 않는 레이블을 고치세요.',
  },
  'denied-by-cluster-policy': {
    title: 'ClusterNetworkPolicy가 패킷을 거부함',
    text: '티어와 우선순위의 순서에서 패킷과 처음으로 일치하는 규칙의 동작이 Deny입니다. Admin 티어의 정책은 NetworkPolicy보다 먼저 평가되며, 여기서 거부한 것은 NetworkPolicy가 허용할 수 없습니다. Baseline 티어의 정책은 어느 NetworkPolicy도 격리하지 않는 파드에만 적용됩니다.',
    fix: '같은 정책이나 우선순위 값이 더 작은 정책에서, 이 규칙보다 앞에 동작이 Accept나 Pass인 규칙을 추가하세요. Baseline 티어라면 패킷을 허용하는 NetworkPolicy로 충분합니다.',
  },
  'policy-service-port': {
    title: 'NetworkPolicy에 파드의 포트가 아니라 서비스의 포트가 있음',
    text: '정책은 DNAT 다음에 평가됩니다. 그때 패킷의 포트는 이미 파드의 포트(`targetPort`)입니다. 서비스의 포트를 적은 규칙은 이 패킷과 일치하지 않습니다.',
    fix: '정책의 규칙에 서비스의 `targetPort`나 파드에 있는 포트의 이름을 쓰세요.',
  },
  'policy-masqueraded-source': {
    title: 'NetworkPolicy에 노드의 주소가 보임',
    text: '`externalTrafficPolicy: Cluster`이면 노드는 외부에서 온 패킷을 마스커레이드합니다. 그러면 파드가 있는 노드의 정책에는 그 노드의 주소가 보이고, 클라이언트의 주소를 적은 `ipBlock`은 일치하지 않습니다.',
    fix: '클라이언트의 주소를 유지하는 `externalTrafficPolicy: Local`을 설정하거나, 노드의 주소를 허용하세요.',
  },
  'policy-without-dns': {
    title: 'egress NetworkPolicy에 DNS가 빠져 있음',
    text: '정책이 파드의 egress를 격리하고 53번 포트로 가는 패킷을 허용하지 않습니다. 파드의 모든 이름 조회가 실패하고, 이름으로 보내는 요청도 모두 실패합니다.',
    fix: 'UDP와 TCP의 53번 포트를 허용하는 egress 규칙을 추가하세요.',
  },
  'policy-selects-nothing': {
    title: 'NetworkPolicy가 선택하는 파드가 없음',
    text: '정책의 네임스페이스에 `podSelector`의 레이블을 가진 파드가 없습니다. 정책은 아무 효과가 없고, 보호하려던 파드는 열려 있습니다.',
    fix: '`spec.podSelector`나 파드의 레이블을 고치세요.',
  },
  'policy-same-priority': {
    title: '우선순위가 같은 ClusterNetworkPolicy가 있음',
    text: '한 티어의 두 ClusterNetworkPolicy가 우선순위가 같고 같은 파드를 선택합니다. 두 정책의 규칙이 모두 패킷과 일치할 때 어느 쪽이 결정하는지는 API에 정해져 있지 않아서 구현마다 다릅니다. 랩에서는 정책의 이름이 결정합니다.',
    fix: '한 티어의 정책마다 서로 다른 `spec.priority`를 설정하세요.',
  },
  'policy-not-enforced': {
    title: 'NetworkPolicy를 적용하는 프로그램이 없음',
    text: '클러스터에 정책은 저장되어 있지만 이를 위한 규칙이 있는 노드가 없습니다. CNI 플러그인이 NetworkPolicy를 지원하지 않거나, 그 에이전트가 실행되고 있지 않습니다. 정책이 거부해야 할 것이 모두 통과합니다.',
    fix: 'NetworkPolicy를 적용하는 CNI 플러그인이나, 그 옆에서 동작하는 에이전트를 설치하세요.',
  },
}
