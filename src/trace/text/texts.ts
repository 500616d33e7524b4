import type { Language } from '../../text/language.js'
import type { End } from '../model/steps.js'

/** One thing is named alone: `1 rule`. */
const counted = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

const english = {
  // a host
  tunnel: '(tunnel)',
  markStays: '(a mark never leaves its host)',
  oncePerConnection: 'rules of nat are evaluated once per connection',
  earlierPacket: (original: string, reply: string) => `an earlier packet made ${original}, reply ${reply}`,
  byConnection: 'by the connection',
  reply: (tuple: string) => `reply ${tuple}`,
  withoutDnat: (route: string) => `(without DNAT: ${route})`,
  notTheEndpoint: 'not the endpoint itself',
  kind: (kind: string) => kind,
  noRealServer: 'no real server',
  byIpvsConnection: 'by the connection of IPVS',
  // the answer
  packets: { answer: 'answer', reset: 'reset' },
  calledAddress: 'the address that it called',
  reverses: (names: readonly string[]) =>
    `no rule of nat is evaluated: ${names.join(' and ')} ${names.length > 1 ? 'reverse' : 'reverses'} the rewrites`,
  // proxies
  sendsItsOwn: (proxy: string, to: string) => `${proxy} receives the datagram, and sends its own to ${to}`,
  opensItsOwn: (proxy: string, to: string) => `${proxy} accepts the connection, and opens its own to ${to}`,
  // ends
  answered: 'answered',
  ends: {
    answered: (place) => `answered at ${place}`,
    refused: (place) => `refused at ${place}`,
    rejected: (place) => `rejected at ${place}`,
    dropped: (place) => `dropped at ${place}`,
    unroutable: (place) => `unroutable at ${place}`,
    unreachable: (place) => `unreachable at ${place}`,
    misrouted: (place) => `misrouted at ${place}`,
    untraceable: (place) => `not known at ${place}`,
  } satisfies Readonly<Record<End['kind'], (place: string) => string>>,
  failsAt: (place: string) => `fails at ${place}`,
  callerGets: (reason: string, what: string) => `${reason}; the caller gets: ${what}`,
  caller: {
    answer: 'an error',
    'connection refused': 'connection refused',
    unreachable: 'unreachable',
    reset: 'reset',
    timeout: 'no answer',
    'protocol error': 'a protocol error',
    unknown: 'unknown',
  } satisfies Readonly<Record<End['caller'], string>>,
  // other paths
  pathsPossible: (paths: number, complete: boolean, shown: number) =>
    `${complete ? '' : 'more than '}${paths} paths are possible (path ${shown} is shown; --path N shows another):`,
  samePaths: (paths: number) => `(${paths} paths)`,
  morePaths: (paths: number) => `… ${paths} more: see --json`,
  via: (chain: string) => `via ${chain}`,
  statusFrom: (status: number, place: string) => `status ${status} from ${place}`,
  through: (sockets: string) => `through ${sockets}`,
  assumes: (question: string, taken: string) => `if ${question} ${taken}`,
  // two modes
  evaluated: (rules: number, applied: number) => `${rules} rules are evaluated, ${applied} apply`,
  possible: (paths: number) => `${paths === 1 ? '1 path is' : `${paths} paths are`} possible`,
  // a real request
  theCaller: (outcome: string) => `the caller: ${outcome}`,
  asPredicted: 'as predicted',
  asPredictedUpTo: 'as predicted up to what the caller gets',
  notSeen: (place: string, predicted: string, observed: string) =>
    `not seen: ${place} reports “${predicted}” to the caller, which has got no answer (${observed}); the kernel sends such an error after seconds, and not for each packet`,
  inferred: 'note: rules with ✗ are inferred, because the kernel reports only rules that apply',
  sameTrace: ({ shown, more, hosts, proxies, path }: SameTrace) => {
    const others = more > 0 ? ` (and ${more} that --all prints)` : ''
    const connections = proxies ? ', of the connections of proxies too' : ''
    const which =
      path === undefined ? '' : ` (path ${path.number} of ${path.all}, probability ${path.probability})`
    return `the kernel’s trace has the same ${shown === 1 ? 'rule' : `${shown} rules`}${others}, addresses and marks on ${hosts} hosts${connections}${which}`
  },
  notAsPredicted: (differences: number) =>
    `the kernel’s trace is not the predicted path: ${counted(differences, 'difference')}`,
  predicted: 'predicted',
  kernel: 'kernel',
  program: 'caller',
  requestFails: (outcome: string) => `the request fails: ${outcome}`,
  callerDiffers: 'the kernel’s trace is the predicted path, and the caller gets something else',
  noNatRule: 'no rule of nat is evaluated: conntrack alone rewrites these packets',
  natRules: (rules: number) => `${counted(rules, 'rule')} of nat evaluated`,
}

/** What a real request has in common with its prediction. */
interface SameTrace {
  /** Rules that are printed. */
  readonly shown: number
  /** Further rules. */
  readonly more: number
  readonly hosts: number
  /** Whether proxies have opened connections of their own. */
  readonly proxies: boolean
  /** The path that it took, if there are several. */
  readonly path?: { readonly number: number; readonly all: number; readonly probability: string } | undefined
}

/** The fixed texts of a prediction, and of a real request beside it. */
export type TraceTexts = typeof english

const korean: TraceTexts = {
  tunnel: '(터널)',
  markStays: '(마크는 호스트를 벗어나지 않음)',
  oncePerConnection: 'nat의 규칙은 연결마다 한 번만 평가됩니다',
  earlierPacket: (original, reply) => `이전 패킷이 만든 항목: ${original}, 응답 ${reply}`,
  byConnection: '(연결의 항목에 따름)',
  reply: (tuple) => `응답 ${tuple}`,
  withoutDnat: (route) => `(DNAT가 없으면: ${route})`,
  notTheEndpoint: '엔드포인트 자신이 아님',
  kind: (kind) => ({ Service: '서비스', Pod: '파드' })[kind] ?? kind,
  noRealServer: '리얼 서버 없음',
  byIpvsConnection: 'IPVS의 연결에 따름',
  packets: { answer: '응답', reset: '리셋' },
  calledAddress: '호출한 주소',
  reverses: (names) =>
    `nat의 규칙은 평가되지 않습니다. ${names.join('과 ')}${names.at(-1) === 'IPVS' ? '가' : '이'} 변환을 되돌립니다`,
  sendsItsOwn: (proxy, to) => `${proxy}: 데이터그램을 받고, ${to}에 자신의 데이터그램을 보냅니다`,
  opensItsOwn: (proxy, to) => `${proxy}: 연결을 받아들이고, ${to}에 자신의 연결을 맺습니다`,
  answered: '응답 도착',
  ends: {
    answered: (place) => `${place}에 응답 도착`,
    refused: (place) => `${place}에서 연결 거부됨`,
    rejected: (place) => `${place}에서 거부됨`,
    dropped: (place) => `${place}에서 버려짐`,
    unroutable: (place) => `${place}에서 라우팅할 수 없음`,
    unreachable: (place) => `${place}에서 도달할 수 없음`,
    misrouted: (place) => `${place}에 잘못 도착함`,
    untraceable: (place) => `${place}에서 알 수 없음`,
  },
  failsAt: (place) => `${place}에서 실패함`,
  callerGets: (reason, what) => `${reason}. 호출자가 받는 것: ${what}`,
  caller: {
    answer: '오류',
    'connection refused': 'connection refused',
    unreachable: 'unreachable',
    reset: '리셋',
    timeout: '없음',
    'protocol error': '프로토콜 오류',
    unknown: '알 수 없음',
  },
  pathsPossible: (paths, complete, shown) =>
    `가능한 경로 ${paths}개${complete ? '' : ' 이상'} (${shown}번 경로를 표시함, 다른 경로는 --path N):`,
  samePaths: (paths) => `(경로 ${paths}개)`,
  morePaths: (paths) => `… ${paths}개 더 있음: --json 참고`,
  via: (chain) => `${chain} 경유`,
  statusFrom: (status, place) => `${place}의 상태 ${status}`,
  through: (sockets) => `거치는 주소: ${sockets}`,
  assumes: (question, taken) => `가정: ${question} ${taken}`,
  evaluated: (rules, applied) => `규칙 ${rules}개 평가, ${applied}개 적용`,
  possible: (paths) => `가능한 경로 ${paths}개`,
  theCaller: (outcome) => `호출자: ${outcome}`,
  asPredicted: '예측과 같음',
  asPredictedUpTo: '호출자가 받는 것 이전까지 예측과 같음',
  notSeen: (place, predicted, observed) =>
    `확인되지 않음: ${place}에서 호출자에게 “${predicted}”를 알리지만, 호출자는 응답을 받지 못했습니다(${observed}). 커널은 이런 오류를 몇 초 뒤에, 그리고 패킷마다가 아니라 가끔 보냅니다`,
  inferred: '참고: 커널은 적용된 규칙만 알리므로 ✗ 규칙은 추론한 것입니다',
  sameTrace: ({ shown, more, hosts, proxies, path }) => {
    const others = more > 0 ? `(그 밖에 --all로 볼 수 있는 ${more}개)` : ''
    const connections = proxies ? ' 프록시가 맺은 연결도 같습니다.' : ''
    const which =
      path === undefined ? '' : ` (경로 ${path.all}개 중 ${path.number}번, 확률 ${path.probability})`
    return `커널의 추적 결과는 호스트 ${hosts}개에서 규칙 ${shown}개${others}와 주소와 마크가 예측과 일치합니다.${connections}${which}`
  },
  notAsPredicted: (differences) => `커널의 추적 결과가 예측한 경로와 다릅니다: 차이 ${differences}개`,
  predicted: '예측',
  kernel: '커널',
  program: '호출자',
  requestFails: (outcome) => `요청 실패: ${outcome}`,
  callerDiffers: '커널의 추적 결과는 예측한 경로와 같지만, 호출자가 받은 것은 다릅니다',
  noNatRule: 'nat의 규칙은 평가되지 않습니다. conntrack만 이 패킷을 변환합니다',
  natRules: (rules) => `nat의 규칙 ${rules}개 평가`,
}

/** The fixed texts of a prediction, by language. */
export const traceTexts: Readonly<Record<Language, TraceTexts>> = { en: english, ko: korean }
