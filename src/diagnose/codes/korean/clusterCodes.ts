import type { clusterCodes } from '../clusterCodes.js'
import type { ExplanationText } from '../explanation.js'

/** What concerns a cluster or a node as a whole, in Korean. */
export const koreanClusterCodes: Readonly<Record<keyof typeof clusterCodes, ExplanationText>> = {
  'ranges-overlap': {
    title: '주소 범위가 겹침',
    text: '파드, 서비스, 노드에는 각각 자기 범위가 필요하고, 각 노드에는 파드 범위 중 자기 몫이 필요합니다. 두 범위가 겹치면 한 주소가 두 가지를 뜻하게 되어, 경로와 규칙과 마스커레이드가 한쪽으로 가는 패킷을 다른 쪽으로 보냅니다.',
    fix: '각각에 서로 다른 범위를 주세요. 노드는 클러스터에 들어올 때, 서비스는 생성될 때 주소를 받으므로 둘 다 다시 만들어야 합니다.',
  },
  'cluster-cidr-different': {
    title: 'clusterCIDR에 파드가 속하지 않음',
    text: 'kube-proxy는 클러스터 IP로 가는 요청 중에서 `clusterCIDR` 밖에서 온 것을 마스커레이드합니다. 주소가 이 범위에 없는 파드는 클러스터 외부의 클라이언트처럼 보입니다. 서버에는 파드가 아니라 노드의 주소가 보이고, 특정 파드를 허용하는 규칙은 일치하지 않습니다.',
    fix: 'ConfigMap kube-system/kube-proxy의 `clusterCIDR`을 파드의 범위로 바꾸고, 모든 노드에서 kube-proxy를 다시 시작하세요.',
  },
  'address-duplicate': {
    title: '주소나 노드포트가 두 번 사용됨',
    text: '두 파드나 노드나 서비스의 주소가 같거나, 두 서비스의 노드포트가 같습니다. 패킷은 그중 하나에만 도달하며, 어느 쪽인지는 경로와 이웃 항목과 규칙의 순서에 따라 다릅니다.',
    fix: '오브젝트 하나를 삭제하고 다른 주소나 포트로 다시 만드세요. 어느 프로그램이 주소를 두 번 할당하는지 찾으세요.',
  },
  'node-port-taken': {
    title: '노드의 프로그램이 노드포트의 포트를 사용함',
    text: '노드포트는 nat PREROUTING과 OUTPUT의 규칙이며, 커널이 소켓을 찾기 전에 평가됩니다. 노드의 네트워크를 쓰는 파드나 `hostPort`가 있는 파드가 같은 포트를 쓰면, 연결을 하나도 받지 못하거나 서비스의 연결을 가져갑니다. 아무도 이를 알리지 않습니다.',
    fix: '서비스에 다른 `nodePort`를 주거나, 프로그램에 30000-32767 밖의 포트를 주세요.',
  },
  'both-backends': {
    title: 'iptables의 두 백엔드에 모두 규칙이 있음',
    text: 'iptables-legacy와 iptables-nft는 커널의 서로 다른 부분에 규칙을 쓰고, nftables에는 자기 테이블이 또 있습니다. 패킷은 이 모두를 지나며, 어느 것이든 패킷을 버리거나 변환할 수 있습니다. 각 도구는 자기 규칙만 보여 줍니다. 다른 백엔드나 모드를 쓰던 kube-proxy의 규칙은 노드가 재시작될 때까지 남습니다.',
    fix: '노드의 모든 프로그램이 한 백엔드를 쓰게 하고, 다른 백엔드의 규칙은 제거하세요. `kube-proxy --cleanup`을 실행하거나 노드를 재시작합니다.',
  },
  'mark-collision': {
    title: '다른 프로그램이 kube-proxy의 마크를 사용함',
    text: 'kube-proxy는 마스커레이드할 패킷에 비트 14(0x4000, `masqueradeBit`)로, kubelet은 버릴 패킷에 비트 15(0x8000)로 마크합니다. 다른 프로그램이 이 비트를 설정하면 패킷이 이유 없이 마스커레이드되거나 버려지고, 이 비트를 지우거나 덮어쓰면 어느 한쪽의 마크가 사라집니다.',
    fix: '한 프로그램의 비트를 바꾸세요. kube-proxy의 `iptables.masqueradeBit`이나 다른 프로그램의 마스크를 설정합니다.',
  },
  'kube-proxies-differ': {
    title: 'kube-proxy의 버전, 모드나 설정이 서로 다름',
    text: '노드의 동작이 같으려면 kube-proxy가 같아야 합니다. 업그레이드하는 동안 버전 하나의 차이는 정상입니다. 모드가 다르거나 뒤처진 노드가 있으면 일부 노드에서만 동작하는 서비스가 생깁니다. kube-proxy는 시작할 때 ConfigMap을 읽습니다. 규칙의 모드나 `clusterCIDR`가 ConfigMap과 다르면 다시 시작할 때 규칙이 바뀔 수 있습니다.',
    fix: '업그레이드를 마치거나, 버전이 오래된 노드에서 kube-proxy를 다시 시작하세요. 잘못된 ConfigMap은 kube-proxy를 다시 시작하기 전에 고치세요.',
  },
  'rules-of-old-version': {
    title: '규칙이 오래된 kube-proxy의 것임',
    text: '1.24 이전의 kube-proxy에는 KUBE-XLB-… 체인이 있고, 그 뒤에는 KUBE-EXT-…가 있습니다. 클러스터의 버전이 더 새것이면 이 노드의 kube-proxy가 오래되었거나, 업그레이드한 뒤로 실행된 적이 없습니다.',
    fix: '노드의 kube-proxy를 API 서버의 버전으로 업그레이드하세요.',
  },
  'api-warning': {
    title: 'API 서버가 매니페스트에 대해 경고함',
    text: 'API 서버는 오브젝트를 받아들이고 경고로 응답하며, kubectl이 이를 출력합니다. 필드가 더 이상 권장되지 않거나, 무시되거나, 두 번 적혀 있습니다. 이것 때문에 요청이 실패한다고 알려진 것은 아닙니다. 클러스터에 이미 저장된 오브젝트는 확인하지 않습니다. 경고는 작성할 때 나왔기 때문입니다.',
    fix: '경고가 말하는 필드를 바꾸세요. 무시되는 필드라면 제거하세요.',
  },
}
