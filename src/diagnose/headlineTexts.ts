import type { End } from '../trace/model/steps.js'
import { mayNotAnswer } from '../trace/observed/silentReceiver.js'
import type { Language } from '../text/language.js'

const english = {
  /** The call; `host` is the host name of the request. */
  call: (from: string, to: string, { pings, host }: { readonly pings: boolean; readonly host?: string }) =>
    `${from} ${pings ? 'pings' : 'calls'} ${to}${host === undefined ? '' : ` for ${host}`}`,
  service: (name: string) => `Service ${name}`,
  pod: (name: string) => `pod ${name}`,
  /** Between who called what and how that ended; after `and` the caller is the subject. */
  joints: { colon: ': ', semicolon: '; ', and: ', and ' },
  sentences: (first: string, second: string) => `${first}; ${second}`,
  because: (result: string, decided: string) => `${result}: ${decided}`,
  notKnown: (decided: string) => `whether it passes is not known: ${decided}`,
  small: 'passes as long as its packets are small',
  get: 'get',
  gets: 'gets',
  ofConnections: (share: string, result: string) => `${share} of the connections ${result}`,
  some: 'some',
  nonePasses: 'none of the connections passes',
  sharePasses: (share: string) => `${share} of the connections pass`,
  causes: (count: number) => `there are ${count} causes`,
  otherThanPredicted: (place: string | undefined) =>
    `the kernel does not do what is predicted${place === undefined ? '' : `, first on ${place}`}`,
  failsAfter: (outcome: string) => `its packets pass as predicted, and the request fails: ${outcome}`,
  callerGot: (outcome: string, predicted: string) => `the caller gets: ${outcome}; predicted: ${predicted}`,
  sameInModes: (one: string, other: string) => `it ends in the same way in modes ${one} and ${other}`,
  inMode: (mode: string, text: string, isOfCaller: boolean) =>
    `in mode ${mode} ${isOfCaller ? `it ${text}` : text}`,
  status: (status: number, get: string) => `${get} status ${status}`,
  results: {
    timeout: (get) => `${get} no answer`,
    reset: (get) => `${get} a reset`,
    unknown: (get) => `possibly ${get} an answer`,
    answer: (get) => `${get} an error`,
    'connection refused': (get) => `${get} “connection refused”`,
    unreachable: (get) => `${get} “unreachable”`,
    'protocol error': (get) => `${get} a protocol error`,
  } satisfies Readonly<Record<End['caller'], (get: string) => string>>,
  on: (place: string, reason: string) => `on ${place}, ${reason}`,
  causeIsRequest: 'the cause is the request',
  causeIn: (object: string, field: string | undefined) =>
    `the cause is in ${object}${field === undefined ? '' : `, ${field}`}`,
  causeOn: (place: string) => `the cause is on ${place}`,
  answered: 'it is answered',
  oneOf: (count: number, arePods: boolean) => `one of ${count} ${arePods ? 'pods' : 'receivers'}`,
  answers: 'answers',
  mayNotAnswer,
  reaches: (to: string, does: string) => `it reaches ${to}, which ${does}`,
  rulesSend: (node: string, to: string, does: string) => `rules on ${node} send it to ${to}, which ${does}`,
  sends: (by: string, to: string, does: string) => `${by} sends it to ${to}, which ${does}`,
}

/** The parts of the first sentence of an answer. */
export type HeadlineTexts = typeof english

const korean: HeadlineTexts = {
  call: (from, to, { pings, host }) =>
    `${from} → ${to}${pings ? ' ping' : ''}${host === undefined ? '' : `, 호스트 ${host}`}`,
  service: (name) => `서비스 ${name}`,
  pod: (name) => `파드 ${name}`,
  joints: { colon: ': ', semicolon: ': ', and: ': ' },
  sentences: (first, second) => `${first}. ${second}`,
  because: (result, decided) => `${result}. ${decided}`,
  notKnown: (decided) => `통과하는지 알 수 없습니다. ${decided}`,
  small: '패킷이 작을 때만 통과합니다',
  get: '',
  gets: '',
  ofConnections: (share, result) => `연결의 일부(${share}): ${result}`,
  some: '비율은 알 수 없음',
  nonePasses: '통과하는 연결이 없습니다',
  sharePasses: (share) => `연결의 일부(${share})만 통과합니다`,
  causes: (count) => `원인은 ${count}개입니다`,
  otherThanPredicted: (place) =>
    `커널의 동작이 예측과 다릅니다${place === undefined ? '' : `(처음 다른 곳: ${place})`}`,
  failsAfter: (outcome) => `패킷은 예측대로 통과하지만 요청은 실패합니다: ${outcome}`,
  callerGot: (outcome, predicted) => `호출자가 받은 것: ${outcome}, 예측: ${predicted}`,
  sameInModes: (one, other) => `${one} 모드와 ${other} 모드에서 똑같이 끝납니다`,
  inMode: (mode, text) => `${mode} 모드에서는 ${text}`,
  status: (status) => `상태 ${status} 응답을 받습니다`,
  results: {
    timeout: () => '응답을 받지 못합니다',
    reset: () => '리셋을 받습니다',
    unknown: () => '응답을 받을 수도 있습니다',
    answer: () => '오류를 받습니다',
    'connection refused': () => '“connection refused” 오류를 받습니다',
    unreachable: () => '“unreachable” 오류를 받습니다',
    'protocol error': () => '프로토콜 오류를 받습니다',
  },
  on: (place, reason) => `${place}: ${reason}`,
  causeIsRequest: '원인은 요청에 있습니다',
  causeIn: (object, field) => `원인은 ${object}${field === undefined ? '' : `의 ${field}`}에 있습니다`,
  causeOn: (place) => `원인은 ${place}에 있습니다`,
  answered: '응답을 받습니다',
  oneOf: (count, arePods) => `${arePods ? '파드' : '수신자'} ${count}개 중 하나`,
  answers: '도달하고 응답을 받습니다',
  mayNotAnswer: '전달됩니다. 응답하는지는 알 수 없습니다',
  reaches: (to, does) => `${to}에 ${does}`,
  rulesSend: (node, to, does) => `${node}의 규칙에 따라 ${to}에 ${does}`,
  sends: (by, to, does) => `${to}에 ${does}(경유: ${by})`,
}

/** The parts of the first sentence of an answer, by language. */
export const headlineTexts: Readonly<Record<Language, HeadlineTexts>> = { en: english, ko: korean }
