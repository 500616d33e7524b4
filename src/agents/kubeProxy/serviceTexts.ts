import type { Language } from '../../text/language.js'

const english = {
  masqueradeExternal:
    'externalTrafficPolicy Cluster: the endpoint may be on another node, and replies must return through this node',
  externalToCluster: 'then to any endpoint in the cluster',
  externalToLocal:
    'externalTrafficPolicy Local: external traffic only to endpoints on this node, source IP preserved',
  affinity: (seconds: number) =>
    `sessionAffinity ClientIP: clients of the last ${seconds} s are sent to the same endpoint`,
  hairpin:
    'a pod that connects to itself through its Service: masqueraded, otherwise its replies would bypass the NAT',
  endpoint: 'DNAT to the endpoint’s address and target port',
}

const korean: typeof english = {
  masqueradeExternal:
    'externalTrafficPolicy Cluster: 엔드포인트가 다른 노드에 있을 수 있고, 응답은 이 노드를 거쳐 돌아와야 합니다',
  externalToCluster: '그다음 클러스터의 모든 엔드포인트 중 하나로 보냅니다',
  externalToLocal:
    'externalTrafficPolicy Local: 외부 트래픽을 이 노드의 엔드포인트로만 보내며 출발지 IP를 유지합니다',
  affinity: (seconds) =>
    `sessionAffinity ClientIP: 최근 ${seconds}초 안에 접속한 클라이언트를 같은 엔드포인트로 보냅니다`,
  hairpin:
    '서비스를 통해 자기 자신에 접속하는 파드입니다. 마스커레이드하지 않으면 응답이 NAT를 거치지 않습니다',
  endpoint: '엔드포인트의 주소와 대상 포트로 DNAT합니다',
}

/** What rules of a Service do in modes iptables and nftables, by language. */
export const serviceTexts: Readonly<Record<Language, typeof english>> = { en: english, ko: korean }
