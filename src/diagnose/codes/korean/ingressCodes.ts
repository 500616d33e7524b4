import type { ExplanationText } from '../explanation.js'
import type { ingressCodes } from '../ingressCodes.js'

/** Ingresses, routes and their backends, in Korean. */
export const koreanIngressCodes: Readonly<Record<keyof typeof ingressCodes, ExplanationText>> = {
  'ingress-host-unmatched': {
    title: '이 호스트 이름을 가진 Ingress나 라우트가 없음',
    text: '컨트롤러는 요청의 호스트 이름으로(TLS에서는 연결의 호스트 이름으로도) 규칙을 선택합니다. 컨트롤러의 오브젝트 중에 이 이름을 가진 규칙이 없으므로, 프록시는 404를 보내거나 요청을 기본 백엔드로 보냅니다.',
    fix: '규칙에 있는 호스트 이름을 호출하거나, `spec.rules[].host`를 고치세요.',
  },
  'ingress-path-unmatched': {
    title: '호스트의 어느 경로와도 일치하지 않음',
    text: '호스트 이름을 가진 규칙은 있지만, 요청의 경로와 일치하는 것이 없습니다. `Prefix`는 경로를 요소 단위로 비교합니다. /foo는 /foo/bar와 일치하고 /foobar와는 일치하지 않습니다. `Exact`는 경로 전체를 비교합니다.',
    fix: '규칙에 있는 경로를 호출하거나, `path`와 `pathType`을 고치세요.',
  },
  'ingress-class-unserved': {
    title: 'Ingress가 다른 컨트롤러에 속하거나 어디에도 속하지 않음',
    text: '컨트롤러는 자기 클래스의 Ingress만 처리합니다. 클래스는 `spec.ingressClassName`이며, 이 필드가 없는 Ingress는 기본 클래스에 속합니다. 없는 클래스의 Ingress는 어느 컨트롤러도 처리하지 않고, 아무도 이를 알리지 않습니다.',
    fix: '`spec.ingressClassName`을 호출하려는 컨트롤러의 클래스로 바꾸세요.',
  },
  'ingress-without-rules': {
    title: '컨트롤러가 처리하는 Ingress나 라우트가 없음',
    text: '호출한 포트에 대한 규칙이 있는 Ingress나 라우트가 없습니다. 그래서 프록시에는 요청을 보낼 곳이 없습니다.',
    fix: '이 컨트롤러의 Ingress나 라우트를 만드세요.',
  },
  'route-not-accepted': {
    title: '라우트가 받아들여지지 않음',
    text: '라우트에 적힌 Gateway나 리스너가 없거나, 그 라우트를 허용하지 않습니다. 이유는 `status.parents`의 컨디션에 있습니다.',
    fix: '`spec.parentRefs`나 리스너의 `allowedRoutes`를 고치세요.',
  },
  'backend-not-permitted': {
    title: '라우트가 이 백엔드를 사용할 수 없음',
    text: '라우트의 참조가 유효하지 않습니다. 종류가 다르거나, ReferenceGrant가 허용하지 않는 다른 네임스페이스의 서비스입니다. 프록시는 500을 보냅니다.',
    fix: '서비스의 네임스페이스에 ReferenceGrant를 만들거나, `backendRefs`를 고치세요.',
  },
  'backend-service-absent': {
    title: '백엔드의 서비스가 그 네임스페이스에 없음',
    text: 'Ingress는 자기 네임스페이스의 서비스만 사용합니다. 이름에 오타가 있거나, 서비스가 다른 네임스페이스에 있거나, 엔드포인트가 없는 ExternalName 타입입니다.',
    fix: '서비스의 이름을 고치거나, Ingress를 서비스의 네임스페이스로 옮기세요.',
  },
  'backend-port-absent': {
    title: '백엔드의 서비스에 이 포트가 없음',
    text: '백엔드에 번호나 이름으로 적힌 포트가 서비스에 없습니다. 이 포트는 컨테이너의 포트가 아니라 서비스의 포트입니다.',
    fix: '서비스의 `spec.ports`에 있는 포트를 쓰세요.',
  },
  'proxy-protocol-different': {
    title: '한쪽은 PROXY 프로토콜의 헤더를 보내고, 다른 쪽은 기대하지 않음',
    text: 'PROXY 프로토콜에서는 로드 밸런서가 요청 앞의 헤더에 클라이언트의 주소를 보냅니다. 로드 밸런서와 그 뒤의 프록시는 설정이 같아야 합니다. 헤더를 기대하는 프록시는 헤더가 없는 연결을 닫고, 기대하지 않는 프록시는 400으로 응답합니다.',
    fix: 'PROXY 프로토콜을 양쪽에서 모두 켜거나 모두 끄세요.',
  },
  'backend-without-weight': {
    title: '규칙에 요청을 받는 백엔드가 없음',
    text: '라우트의 규칙에 백엔드가 없거나, 가중치가 0인 백엔드만 있습니다. 프록시는 오류를 보냅니다.',
    fix: '가중치가 있는 백엔드를 추가하세요.',
  },
  'client-not-allowed': {
    title: '규칙에서 클라이언트를 허용하지 않음',
    text: '어노테이션에서 허용하는 주소 범위가 있습니다. 프록시에는 패킷이 도착할 때의 주소가 보이는데, 마스커레이드 뒤에는 노드의 주소입니다.',
    fix: '그 범위를 허용하거나, 프록시의 서비스에 `externalTrafficPolicy: Local`을 설정하세요.',
  },
  'backend-protocol-different': {
    title: '프록시가 백엔드와 다른 프로토콜로 연결을 시작함',
    text: '어노테이션이나 라우트의 종류, `appProtocol` 때문에 프록시가 TLS나 HTTP/2로 연결하지만, 백엔드는 그 프로토콜을 쓰지 않습니다.',
    fix: '백엔드가 쓰는 프로토콜을 설정하세요.',
  },
}
