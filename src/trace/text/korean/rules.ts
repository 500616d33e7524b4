import { ipvsTexts as ipvsServerTexts } from '../../../agents/kubeProxy/ipvs/explained/texts.js'
import { ipvsRuleTexts } from '../../../agents/kubeProxy/ipvs/texts.js'
import { iptablesTexts } from '../../../agents/kubeProxy/iptables/texts.js'
import { nftTexts } from '../../../agents/kubeProxy/nftables/texts.js'
import { userspaceTexts } from '../../../agents/kubeProxy/userspace/texts.js'
import { phrasesOf, type Phrases } from '../../../text/phrasebook.js'

const ofPolicies: Phrases = {
  'a pod that the policy selects': '정책이 선택하는 파드입니다',
  'a pod that a peer of the rule selects': '규칙의 상대로 선택되는 파드입니다',
  'packets of the pod, and packets to it': '파드가 보내는 패킷과 파드로 가는 패킷입니다',
  'finds the pod that sends the packet': '패킷을 보내는 파드를 찾습니다',
  'finds the pod that gets the packet': '패킷을 받는 파드를 찾습니다',
  'an ipBlock of the rule': '규칙의 ipBlock입니다',
  'a pod with the named port': '이 이름의 포트가 있는 파드입니다',
  'allowed by the policy': '정책이 허용합니다',
  'denied by the policy': '정책이 거부합니다',
  'the policy leaves it to the next tier': '정책이 다음 티어에 맡깁니다',
  'the policies of tier {tier} end here': '{tier} 티어의 정책이 여기서 끝납니다',
  'the policy isolates the pod for {direction}': '정책이 파드의 {direction}를 격리합니다',
  'the policy has rules about the pod for {direction}': '파드의 {direction}에 대한 규칙이 정책에 있습니다',
  'no policy isolates the pod': '파드를 격리하는 정책이 없습니다',
  'no policy isolates the pod for {direction}': '파드의 {direction}를 격리하는 정책이 없습니다',
  'packets of known connections, and ICMP that every pod may get':
    '이미 알려진 연결의 패킷과, 모든 파드가 받을 수 있는 ICMP입니다',
  'a node always reaches its own pods, for their probes':
    '노드는 프로브를 보내기 위해 자신의 파드에 항상 접속할 수 있습니다',
  'logs what no policy allows': '어느 정책도 허용하지 않는 것을 로그에 남깁니다',
  'clears the mark for the chain of the other pod': '상대 파드의 체인을 위해 마크를 지웁니다',
  'the policies of the pod allow the packet': '파드의 정책이 패킷을 허용합니다',
  'no rule of the policies that isolate the pod allows it ({policies*})':
    '파드를 격리하는 정책의 어느 규칙도 허용하지 않습니다({policies*})',
  'no policy isolates the pod: everything is allowed': '파드를 격리하는 정책이 없으므로 모두 허용합니다',
  'every packet first passes the policies of its pods': '모든 패킷은 먼저 자기 파드의 정책을 거칩니다',
  'packets to Services: the policies decide about the pod behind them':
    '서비스로 가는 패킷입니다. 정책은 그 뒤의 파드에 대해 결정합니다',
  'packets to node ports: the policies decide about the pod behind them':
    '노드포트로 가는 패킷입니다. 정책은 그 뒤의 파드에 대해 결정합니다',
  'accepts what the policies of its pods allow': '파드의 정책이 허용하는 것을 허용합니다',
  'packets that belong to no connection': '어느 연결에도 속하지 않는 패킷입니다',
  'replies, and connections that were allowed before': '응답과, 전에 허용된 연결입니다',
  'ICMP that every pod may get': '모든 파드가 받을 수 있는 ICMP입니다',
  'packets to the pod': '파드로 가는 패킷입니다',
  'packets of the pod': '파드가 보내는 패킷입니다',
}

/** Why rules exist. Those of kube-proxy are the texts of `rules`. */
export const rules: Phrases = {
  ...[iptablesTexts, nftTexts, ipvsRuleTexts, ipvsServerTexts, userspaceTexts]
    .map(({ en, ko }) => phrasesOf(en, ko))
    .reduce((all, some) => ({ ...all, ...some }), {}),
  ...ofPolicies,
  // why IPVS selects a real server
  '{field}: {scheduler} picks {how!}': '{field}: {scheduler} 스케줄러: {how!}',
  '{field}, no endpoint: rejected: {scheduler} picks {how!}':
    '{field}, 엔드포인트가 없어 거부: {scheduler} 스케줄러: {how!}',
  '{field}, only endpoints on this node: {scheduler} picks {how!}':
    '{field}, 이 노드의 엔드포인트만 사용: {scheduler} 스케줄러: {how!}',
  '{field}, no endpoint on this node: uses those on other nodes: {scheduler} picks {how!}':
    '{field}, 이 노드에 엔드포인트가 없어 다른 노드의 엔드포인트를 사용: {scheduler} 스케줄러: {how!}',
  '{picks!}; sessionAffinity ClientIP: a client keeps its server for {seconds} s':
    '{picks!}. sessionAffinity ClientIP: 클라이언트는 {seconds}초 동안 같은 서버를 사용합니다',
  // the reason of a map's element, with that of its rule
  '{element!} ({rule!})': '{element!} ({rule!})',
}
