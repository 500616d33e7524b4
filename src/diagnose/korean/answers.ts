import type { Phrases } from '../../text/phrasebook.js'

/** Words around causes and changes, and what is surprising about a request that passes. */
export const answers: Phrases = {
  note: '참고',
  result: '결과',
  cause: '원인',
  effect: '영향',
  object: '대상',
  owner: '작성자',
  at: '위치',
  fix: '해결',
  explain: '설명',
  'there are more paths than these': '이 밖에도 경로가 더 있습니다',
  some: '일부',
  'another program': '다른 프로그램',
  '{decided*}; the caller {result*}': '{decided*}. 호출자는 {result*}',
  '✔ predicted to pass': '✔ 통과로 예측됨',
  'predicted to pass for {share}': '{share} 통과로 예측됨',
  'No fix found: none is known for this cause':
    '해결 방법을 찾지 못했습니다. 이 원인에 대해 알려진 방법이 없습니다',
  'No fix found; tried: {changes*}': '해결 방법을 찾지 못했습니다. 시도한 것: {changes*}',
  yes: '예',
  no: '아니요',
  // changes of one field are the same in both languages
  '{field}: none → {after}': '{field}: 없음 → {after}',
  '{field}: {before} → none': '{field}: {before} → 없음',
  '{field}: {before!} → {after!}': '{field}: {before!} → {after!}',
  '{kind} {name}: {change!}': '{kind} {name}: {change!}',
  '{one!}; {other!}': '{one!}. {other!}',
  // names
  'service {name}': '서비스 {name}',
  'node {name}': '노드 {name}',
  // remarks
  'sessionAffinity of Service {service} is ClientIP: {place} sends the next connections from {address} to the same endpoint, if each begins within {seconds} s of the one before':
    '서비스 {service}의 sessionAffinity가 ClientIP입니다. {place}: {address}에서 오는 다음 연결은 앞의 연결 후 {seconds}초 안에 시작되면 같은 엔드포인트로 보냅니다',
  'Service {service} also has {address}, which this request does not use':
    '서비스 {service}에는 이 요청이 사용하지 않는 주소 {address}도 있습니다',
  'Service {service} also has {address}, which this request does not use; no ready endpoint has an address of {family}':
    '서비스 {service}에는 이 요청이 사용하지 않는 주소 {address}도 있습니다. 준비된 엔드포인트 중에 {family} 주소를 가진 것이 없습니다',
  'EndpointSlice {slice} has {addresses*} of pod {pod}, which the selector of Service {service} does not match':
    '엔드포인트슬라이스 {slice}에 파드 {pod}의 주소({addresses*})가 있지만, 서비스 {service}의 셀렉터와 일치하는 파드가 아닙니다',
  'EndpointSlice {slice} has {addresses*}, and there is no such pod':
    '엔드포인트슬라이스 {slice}에 주소({addresses*})가 있지만, 이런 파드는 없습니다',
  'EndpointSlice {slice} has {addresses*} of pod {pod}, and there is no such pod':
    '엔드포인트슬라이스 {slice}에 파드 {pod}의 주소({addresses*})가 있지만, 이런 파드는 없습니다',
  'EndpointSlice {slice} has {addresses*}, which is not among the pods that were read':
    '엔드포인트슬라이스 {slice}에 주소({addresses*})가 있지만, 읽은 파드 중에는 없습니다',
  'EndpointSlice {slice} has {addresses*} of pod {pod}, which is not among the pods that were read':
    '엔드포인트슬라이스 {slice}에 파드 {pod}의 주소({addresses*})가 있지만, 읽은 파드 중에는 없습니다',
  'not looked at: the answer of {receiver!}': '살펴보지 않은 것: 응답의 내용({receiver!})',
  'not looked at: TLS, and the answer of {receiver!}': '살펴보지 않은 것: TLS와 응답의 내용({receiver!})',
  'not looked at: whether the caller can look up {name} in DNS':
    '살펴보지 않은 것: 호출자가 DNS에서 {name} 이름을 조회할 수 있는지',
  'not looked at: whether the caller trusts the certificate':
    '살펴보지 않은 것: 호출자가 인증서를 신뢰하는지',
  'the receivers': '수신자들',
  'the request begins with {protocol}, and the server speaks {spoken!}':
    '요청이 시작하는 프로토콜은 {protocol}인데, 서버가 쓰는 프로토콜은 {spoken!}입니다',
  'the annotation {key} of {kind} {name} allows {ranges*}, and the proxy sees {address}':
    '{kind} {name}의 어노테이션 {key}에서 허용하는 범위는 {ranges*}이지만, 프록시에 보이는 주소는 {address}입니다',
  TLS: 'TLS',
  'HTTP/1.1 without TLS': 'TLS 없는 HTTP/1.1',
  '{proxy!} begins its connection with {protocol}, and {server!} speaks {spoken!}':
    '{proxy!}: 자신의 연결을 시작하는 프로토콜은 {protocol}인데, {server!}에서 쓰는 프로토콜은 {spoken!}입니다',
  'the receiver sees the source {seen}, not {address} of the caller':
    '수신자에 보이는 출발지: {seen}. 호출자의 주소는 {address}입니다',
  'the receiver sees the source {seen} ({label!}), not {address} of the caller':
    '수신자에 보이는 출발지: {seen}({label!}). 호출자의 주소는 {address}입니다',
  '{sees!}: {place} rewrites it': '{sees!}. {place}에서 변환합니다',
  '{sees!}: {proxy!} opens its own connection': '{sees!}. {proxy!}에서 자신의 연결을 맺습니다',
  'topology hints select no endpoints of Service {service} on {node}: {why!}':
    '{node}에서 서비스 {service}의 엔드포인트가 토폴로지 힌트로 선택되지 않습니다. {why!}',
  'topology hints leave {used} of {all} ready endpoints of Service {service} on {node}: those for {node2}':
    '{node}에서는 토폴로지 힌트에 따라 서비스 {service}의 준비된 엔드포인트 {all}개 중 {used}개({node2} 노드용)만 사용합니다',
  'topology hints leave {used} of {all} ready endpoints of Service {service} on {node}: those for zone {zone}':
    '{node}에서는 토폴로지 힌트에 따라 서비스 {service}의 준비된 엔드포인트 {all}개 중 {used}개({zone} 존용)만 사용합니다',
  'before 1.31 kube-proxy uses them only if an annotation of the Service asks for it':
    '1.31 이전의 kube-proxy는 서비스의 어노테이션이 있을 때만 힌트를 사용합니다',
  '{without} of {all} ready endpoints have none':
    '준비된 엔드포인트 {all}개 중 {without}개에 힌트가 없습니다',
  'the Event says “{message*}”': '이벤트: “{message*}”',
  'an endpoint is on a node without the label {label}': '한 엔드포인트의 노드에 {label} 레이블이 없습니다',
  'the controller needs two zones, and a zone and an allocatable CPU of each ready node':
    '컨트롤러에는 존 두 개와, 준비된 각 노드의 존과 할당 가능한 CPU가 필요합니다',
  'the controller cannot share {endpoints} endpoints among {zones} zones by the CPU of their nodes':
    '컨트롤러가 엔드포인트 {endpoints}개를 노드의 CPU에 따라 존 {zones}개에 나눌 수 없습니다',
  '{node} has no label {label}': '{node}에 {label} 레이블이 없습니다',
  'none is for zone {zone} of {node}': '{node}의 존 {zone}에 대한 힌트가 없습니다',
}
