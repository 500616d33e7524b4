import type { Phrases } from '../../text/phrasebook.js'

/** Who reaches what: senders, addresses and ends of requests. */
export const reach: Phrases = {
  'no Service': '서비스 없음',
  'Service {service}': '서비스 {service}',
  // addresses
  'cluster IP {address}': '클러스터 IP {address}',
  'node port {address}': '노드포트 {address}',
  'node port on loopback {address}': '루프백의 노드포트 {address}',
  'node port on another address {address}': '다른 주소의 노드포트 {address}',
  'external IP {address}': '외부 IP {address}',
  'load balancer {address}': '로드 밸런서 {address}',
  'health check {address}': '헬스 체크 {address}',
  'other port of cluster IP {address}': '클러스터 IP의 다른 포트 {address}',
  'ping of cluster IP {address}': '클러스터 IP에 ping {address}',
  'unallocated cluster IP {address}': '할당되지 않은 클러스터 IP {address}',
  'host port {address}': '호스트 포트 {address}',
  'pod of {node}': '{node}의 파드',
  outside: '외부',
  // senders
  'pods of {node}': '{node}의 파드',
  'pods of {node} like {pod}': '{node}의 파드({pod} 등)',
  'endpoints on {node}': '{node}의 엔드포인트',
  'endpoints on {node} like {pod}': '{node}의 엔드포인트({pod} 등)',
  'outside, such as {address}': '외부, 예를 들어 {address}',
  '{sender!} and {count} nodes like it': '{sender!}(같은 노드 {count}개 포함)',
  '{sender!} at {node}': '{sender!}({node} 호출)',
  '{list*} and {count} more': '{list*} 외 {count}개',
  // ends
  'error: unreachable': '오류: unreachable',
  'connection reset': '연결 리셋',
  'times out': '타임아웃',
  'leaves the cluster': '클러스터 밖으로 나감',
  'not known': '알 수 없음',
  'not known: {why!}': '알 수 없음: {why!}',
  '{end!} {percent} %': '{end!} {percent} %',
  '{ends!} (client: {clients!})': '{ends!} (클라이언트: {clients!})',
  '{one!} or {other!}': '{one!} 또는 {other!}',
  'its own address': '자신의 주소',
  '{sender!} → {target!} of Service {service}: {ends!}': '{sender!} → 서비스 {service}의 {target!}: {ends!}',
  // verdicts
  'nothing is decided': '결정된 것이 없습니다',
  'every decided request ends as the objects promise': '결정된 모든 요청이 오브젝트에 정의된 대로 끝납니다',
  '{count} {promises} of the objects {are} broken:': '오브젝트에 정의된 것과 다른 결과 {count}개:',
  'no rule decides': '결정하는 규칙이 없음',
  '{decided} {requests} of {classes} {words} of senders decided':
    '송신자 클래스 {classes}개의 요청 {decided}개가 결정되었습니다',
  '{decided} {requests} of {classes} {words} of senders decided, {open} not known, because:':
    '송신자 클래스 {classes}개의 요청 {decided}개가 결정되었습니다. 알 수 없는 것 {open}개의 이유:',
  'and {count} other {reasons}': '그 밖의 이유 {count}개',
  'no host is known that sends as {sender!}': '{sender!}: 이 주소로 보내는 호스트를 알 수 없습니다',
  '{host} has no route to {address}: by which interface it comes is not known':
    '{host}에 {address}에 대한 경로가 없어 어느 인터페이스로 들어오는지 알 수 없습니다',
}
