import type { serviceCodes } from '../serviceCodes.js'
import type { ExplanationText } from '../explanation.js'

/** Services and their endpoints, in Korean. */
export const koreanServiceCodes: Readonly<Record<keyof typeof serviceCodes, ExplanationText>> = {
  'selector-matches-nothing': {
    title: '서비스의 셀렉터와 일치하는 파드가 없음',
    text: '서비스는 자기 네임스페이스에서 `spec.selector`의 레이블을 모두 가진 파드를 선택합니다. 그런 파드가 없으면 엔드포인트슬라이스가 비어 있고, kube-proxy는 모든 요청을 즉시 거부하는 규칙을 작성합니다.',
    fix: '`spec.selector`를 고치거나, 워크로드의 템플릿에 있는 레이블을 고치세요.',
  },
  'pods-in-other-namespace': {
    title: '셀렉터와 일치하는 파드가 다른 네임스페이스에 있음',
    text: '서비스는 자기 네임스페이스의 파드만 선택합니다. 다른 네임스페이스의 파드는 레이블이 같아도 이 서비스의 엔드포인트가 되지 않습니다.',
    fix: '파드가 있는 네임스페이스에 서비스를 만드세요.',
  },
  'workload-without-pods': {
    title: '서비스 뒤의 워크로드에 레플리카가 없음',
    text: '셀렉터는 올바르지만 Deployment, ReplicaSet 또는 StatefulSet의 `spec.replicas`가 0입니다. 엔드포인트가 될 파드가 없습니다.',
    fix: '워크로드를 스케일하세요. `kubectl scale deployment/NAME --replicas 1`을 실행합니다.',
  },
  'no-ready-endpoint': {
    title: '서비스에 준비된 엔드포인트가 없음',
    text: 'kube-proxy와 Ingress 컨트롤러는 준비된 엔드포인트에만 요청을 보냅니다. 하나도 없으면 kube-proxy는 요청을 거부하고, 프록시는 상태 503을 보내거나 연결을 닫습니다.',
    fix: '파드를 준비된 상태로 만드세요. 셀렉터가 없는 서비스라면 `kubernetes.io/service-name` 레이블이 있는 엔드포인트슬라이스를 작성하세요.',
  },
  'pods-not-ready': {
    title: '서비스의 파드가 준비되지 않음',
    text: '셀렉터와 일치하는 파드는 있지만 준비된 것이 없습니다. 준비되지 않은 엔드포인트는 `spec.publishNotReadyAddresses`가 true가 아니면 요청을 받지 않습니다.',
    fix: '파드가 준비되지 않은 이유를 찾으세요. 파드의 컨디션과 이벤트, 각 컨테이너의 준비 상태를 확인합니다.',
  },
  'probe-port-unserved': {
    title: '프로브가 호출하는 포트에서 파드가 수신 대기하지 않음',
    text: '컨테이너의 스타트업 프로브나 레디니스 프로브가 아무도 수신 대기하지 않는 포트를 호출합니다. 프로브가 실패하므로 파드는 준비되지 않고, 서비스에는 엔드포인트가 없습니다.',
    fix: '프로브의 포트를 컨테이너가 수신 대기하는 포트로 바꾸세요.',
  },
  'targetport-unserved': {
    title: 'targetPort에서 수신 대기하는 프로세스가 없음',
    text: '서비스는 요청을 파드의 `targetPort`로 보내지만 거기서 수신 대기하는 프로세스가 없습니다. 파드는 리셋으로 응답하고, 호출한 쪽에는 “connection refused”가 보입니다. `targetPort`가 없으면 `port`와 같은 번호입니다.',
    fix: '`targetPort`를 컨테이너가 수신 대기하는 포트로 바꾸세요.',
  },
  'targetport-name-unknown': {
    title: 'targetPort의 이름을 가진 컨테이너 포트가 없음',
    text: '`targetPort`가 이름이면 각 파드에 있는 컨테이너의 `ports`에서 프로토콜이 같은 포트를 그 이름으로 찾습니다. 이 이름의 포트가 없는 파드는 엔드포인트가 되지 않습니다.',
    fix: '컨테이너 포트의 이름이나 번호를 쓰세요.',
  },
  'protocol-mismatch': {
    title: '포트는 있지만 프로토콜이 다름',
    text: '서비스의 포트는 프로토콜 하나에만 해당합니다. `protocol`이 없으면 TCP입니다. TCP 포트로 보낸 데이터그램은 서비스의 어느 규칙과도 일치하지 않습니다.',
    fix: '포트의 프로토콜로 호출하거나, 번호가 같고 프로토콜이 다른 포트를 추가하세요.',
  },
  'service-family-absent': {
    title: '서비스에 요청의 IP 패밀리가 없음',
    text: '서비스의 규칙은 `spec.ipFamilies`에 있는 패밀리에만 있습니다. `ipFamilyPolicy: SingleStack`이면 듀얼 스택 클러스터에서도 패밀리가 하나입니다.',
    fix: '다른 패밀리의 주소를 호출하거나, `ipFamilyPolicy: PreferDualStack`을 설정하세요.',
  },
  'slice-port-different': {
    title: '엔드포인트슬라이스의 포트가 서비스의 포트와 다름',
    text: 'kube-proxy는 서비스의 포트와 엔드포인트슬라이스의 포트를 번호가 아니라 이름과 프로토콜로 연결합니다. 직접 작성한 슬라이스에는 서비스 포트와 같은 이름이 있어야 하며, 이 이름은 비어 있을 수 있습니다.',
    fix: '슬라이스의 포트에 `spec.ports`에 있는 포트의 이름과 프로토콜을 쓰세요.',
  },
  'endpoint-absent': {
    title: '엔드포인트의 주소를 가진 호스트가 없음',
    text: '엔드포인트슬라이스에 파드, 노드, 클라이언트 어느 것도 갖지 않은 주소가 있습니다. 이 주소로 가는 연결은 타임아웃되거나 “no route to host”로 끝납니다. 직접 작성한 슬라이스나, 없어진 파드를 제거하지 않는 컨트롤러에서 생기는 일입니다.',
    fix: '엔드포인트슬라이스의 주소를 고치거나 제거하세요.',
  },
  'external-policy-local': {
    title: 'externalTrafficPolicy가 Local이고, 노드에 서비스의 파드가 없음',
    text: '`externalTrafficPolicy: Local`이면 노드는 외부에서 온 요청을 자기 파드에만 보냅니다. 그래서 파드에는 클라이언트의 주소가 보입니다. 준비된 파드가 없는 노드는 이 요청을 버립니다(ipvs 모드에서는 거부합니다). 로드 밸런서는 `healthCheckNodePort`로 이를 알게 됩니다.',
    fix: '파드가 있는 노드를 호출하거나, 모든 노드에서 파드를 실행하거나, `externalTrafficPolicy: Cluster`를 설정하세요.',
  },
  'internal-policy-local': {
    title: 'internalTrafficPolicy가 Local이고, 노드에 서비스의 파드가 없음',
    text: '`internalTrafficPolicy: Local`이면 클러스터 IP로 가는 요청에는 호출자와 같은 노드의 파드만 응답합니다. 그런 파드가 없는 노드에서는 kube-proxy가 요청을 버리고, ipvs 모드에서는 거부합니다.',
    fix: 'DaemonSet처럼 모든 노드에서 파드를 실행하거나, `internalTrafficPolicy: Cluster`를 설정하세요.',
  },
  'health-check-fails': {
    title: '노드에서 서비스의 헬스 체크가 실패함',
    text: '`externalTrafficPolicy: Local`이면 kube-proxy가 각 노드의 `healthCheckNodePort`에서 응답합니다. 그 노드에 서비스의 준비된 파드가 있으면 200, 없으면 503입니다. 로드 밸런서는 200으로 응답하는 노드에만 요청을 보냅니다.',
    fix: '파드를 일부러 다른 노드에 두었다면 고칠 것이 없습니다. 그렇지 않으면 이 노드에서 파드를 실행하거나, `externalTrafficPolicy: Cluster`를 설정하세요.',
  },
  'load-balancer-unannounced': {
    title: '로드 밸런서의 주소를 알리는 노드가 없음',
    text: '레이어 2 방식의 로드 밸런서는 준비된 엔드포인트가 있는 노드 하나에서(`externalTrafficPolicy: Local`이면 자기 엔드포인트가 있는 노드에서) 그 주소의 ARP 요청에 응답합니다. 조건에 맞는 노드가 없으므로 응답하는 호스트도 없습니다.',
    fix: '서비스의 파드를 준비된 상태로 만드세요.',
  },
  'external-ip-unrouted': {
    title: '외부 IP로 가는 패킷을 노드로 보내는 것이 없음',
    text: '`spec.externalIPs`가 하는 일은 kube-proxy가 규칙을 작성하게 하는 것뿐입니다. 이 주소를 가진 호스트가 없고 ARP 요청에 응답하는 것도 없으므로, 네트워크가 이 주소를 노드로 라우팅해야 합니다.',
    fix: '클라이언트나 그 라우터에 노드를 거쳐 이 주소로 가는 경로를 추가하세요.',
  },
  'source-range': {
    title: '호출자가 loadBalancerSourceRanges의 어느 범위에도 속하지 않음',
    text: 'kube-proxy는 로드 밸런서의 주소로 가는 요청 중에서 출발지가 `spec.loadBalancerSourceRanges`의 어느 범위에도 속하지 않는 것을 버립니다. 출발지는 노드에 보이는 주소입니다. 프록시 뒤에서, 또는 마스커레이드된 뒤에는 클라이언트의 주소가 아닙니다.',
    fix: '호출자의 주소를 범위에 추가하세요.',
  },
}
