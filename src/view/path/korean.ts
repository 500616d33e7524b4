import { koreanOfAnswers } from '../../diagnose/inLanguage.js'
import type { Language } from '../../text/language.js'
import { createPhrasebook, type Phrases, type Translate } from '../../text/phrasebook.js'

/** What a page says about the moments of a path, and how it ends; `{reason!}` is a sentence of a prediction. */
export const koreanOfPaths: Phrases = {
  '{place} sends the packet': '{place}에서 패킷을 보냅니다',
  '{place} sends the answer': '{place}에서 응답을 보냅니다',
  '{place} sends a reset: nothing listens': '{place}에서 리셋을 보냅니다. 수신 대기하는 프로세스가 없습니다',
  '{place} sends an error about the packet': '{place}에서 패킷에 대한 오류를 보냅니다',
  '{place} sends the VXLAN packet': '{place}에서 VXLAN 패킷을 보냅니다',
  'the packet arrives on {device}': '패킷이 {device}에 도착합니다',
  'the answer arrives on {device}': '응답이 {device}에 도착합니다',
  'a reset: nothing listens arrives on {device}':
    '리셋이 {device}에 도착합니다. 수신 대기하는 프로세스가 없습니다',
  'an error about the packet arrives on {device}': '패킷에 대한 오류가 {device}에 도착합니다',
  'the VXLAN packet arrives on {device}': 'VXLAN 패킷이 {device}에 도착합니다',
  '{place} sends ICMP {error!}': '{place}에서 오류를 보냅니다: ICMP {error!}',
  '{place} sends ICMPv6 {error!}': '{place}에서 오류를 보냅니다: ICMPv6 {error!}',
  '{place} sends TCP reset': '{place}에서 TCP 리셋을 보냅니다',
  'ICMP {error!} arrives on {device}': '{device}에 오류가 도착합니다: ICMP {error!}',
  'ICMPv6 {error!} arrives on {device}': '{device}에 오류가 도착합니다: ICMPv6 {error!}',
  'TCP reset arrives on {device}': 'TCP 리셋이 {device}에 도착합니다',
  'leaves on {device}': '{device} 인터페이스로 나갑니다',
  '{place} receives it': '{place}에서 받습니다',
  'route to {address}: {route*}': '{address}에 대한 경로: {route*}',
  'captured on {device}, as it arrives': '{device}에서 캡처: 도착할 때',
  'captured on {device}, as it leaves': '{device}에서 캡처: 나갈 때',
  'inside a VXLAN packet {from} → {to}': 'VXLAN 패킷 {from} → {to} 안에 있습니다',
  'answer: {addresses*}': '응답: {addresses*}',
  'a new connection: rules of nat are evaluated once, now': '새 연결: nat의 규칙이 지금 한 번 평가됩니다',
  'a known connection: no rule of nat is evaluated': '알려진 연결: nat의 규칙이 평가되지 않습니다',
  'connection tracking: {state}': '연결 추적: {state}',
  'connection tracking rewrites it: no rule of nat is evaluated':
    '연결 추적이 바꿉니다. nat의 규칙은 평가되지 않습니다',
  'connection tracking keeps the connection for the packets that follow':
    '연결 추적이 다음 패킷을 위해 연결을 기억합니다',
  'IPVS: the virtual server {server} has no real server for new connections':
    'IPVS: 가상 서버 {server}에 새 연결을 받을 리얼 서버가 없습니다',
  'IPVS: the scheduler {scheduler} of {server} picks a real server':
    'IPVS: {server}의 스케줄러 {scheduler}가 리얼 서버를 고릅니다',
  'IPVS: the connection of {server} rewrites it': 'IPVS: {server}의 연결에 따라 바꿉니다',
  '{place}: {reason!}': '{place}: {reason!}',
  '{caller} got the answer; predicted: {reason!}': '{caller}: 응답을 받았습니다. 예측: {reason!}',
  '{caller} got the answer; not predicted: {reason!}':
    '{caller}: 응답을 받았습니다. 예측하지 않음: {reason!}',
  '{caller}: {outcome!}; predicted: {reason!}': '{caller}: {outcome!}. 예측: {reason!}',
  // a page about requests: what is predicted, and what the caller got
  passed: '통과',
  failed: '실패',
  skipped: '건너뜀',
  answered: '응답을 받음',
  timeout: '타임아웃',
  'predicted: {says!}': '예측: {says!}',
  'the request passes': '요청이 통과합니다',
  'the request passes while its packets are small': '패킷이 작을 때만 요청이 통과합니다',
  'some connections fail': '일부 연결이 실패합니다',
  'the request fails': '요청이 실패합니다',
  'whether the request passes is not known': '요청이 통과하는지 알 수 없습니다',
  'no request fails': '실패하는 요청이 없습니다',
  'requests fail': '실패하는 요청이 있습니다',
  'answered, not as predicted': '응답을 받음, 예측과 다름',
  'failed, not as predicted': '실패, 예측과 다름',
  'the caller: HTTP {status}': '호출자: HTTP {status}',
  'the caller: {got!}': '호출자: {got!}',
  'failed: {error*}': '실패: {error*}',
  'reset: {error*}': '리셋됨: {error*}',
  '{request*} in mode {mode}': '{request*} ({mode} 모드)',
  '{number} before: {says!}': '{number} 이전: {says!}',
  '{number} after: {says!}': '{number} 이후: {says!}',
  '{count} more requests end so': '요청 {count}개가 더 이렇게 끝납니다',
  '{count} more request is affected': '요청 {count}개가 더 영향을 받습니다',
  '{count} more requests are affected': '요청 {count}개가 더 영향을 받습니다',
  'Predicted from the plan of the lab: no packet was sent.':
    '랩의 계획으로 예측했습니다. 패킷을 보내지 않았습니다.',
  'Predicted from what the kernel of the running lab has: no packet was sent.':
    '실행 중인 랩의 커널 상태로 예측했습니다. 패킷을 보내지 않았습니다.',
  'Predicted from the rules, routes and objects that were attached: no packet was sent.':
    '첨부된 규칙, 라우트, 오브젝트로 예측했습니다. 패킷을 보내지 않았습니다.',
  'the kernel’s trace is the predicted path': '커널의 추적이 예측한 경로와 같습니다',
  '{place}: {what*} as predicted': '{place}: 예측과 같은 {what*}',
  '{place}: {what*}: predicted {predicted*}, the kernel {seen*}':
    '{place}: {what*}: 예측 {predicted*}, 커널 {seen*}',
  '{place}: {what*}: predicted {predicted*}, the caller {got*}':
    '{place}: {what*}: 예측 {predicted*}, 호출자 {got*}',
  // marks of moments, and what a caller got
  sends: '보냄',
  received: '받음',
  route: '라우팅',
  entry: '항목',
  lost: '유실',
  dropped: '버림',
  rejected: '거부',
  refused: '거부됨',
  reset: '리셋됨',
  unreachable: '도달 불가',
  unanswered: '응답 없음',
  'no route': '경로 없음',
  'not known': '알 수 없음',
}

/** Translates the sentences of pages; undefined for one without a translation. */
export const translations: Readonly<Record<Exclude<Language, 'en'>, Translate>> = {
  ko: createPhrasebook({ ...koreanOfAnswers, ...koreanOfPaths }),
}
