import { count } from '../text/count.js'
import type { Language } from '../text/language.js'

const english = {
  first: 'All packets, before the Service rules',
  last: 'All packets, after the Service rules',
  others: 'Other rules: from a CNI plugin, or added by hand',
  service: (name: string) => `Service ${name}`,
  noSuchService: 'no Service has this name',
  noRules: (why: string) => `no rules: ${why}`,
  port: (words: string) => `port ${words}`,
  noSuchPort: '(no such port)',
  external: (address: string) => `external ${address}`,
  endpoints: (endpoints: number) => count(endpoints, 'endpoint'),
  podOn: (pod: string, node: string) => `${pod} on ${node}`,
  missing: 'missing',
  written: 'kube-proxy writes:',
  everyPacket: '(every packet; no target)',
  /** What a ruleset has; mode nftables also has elements, mode ipvs servers, entries and addresses. */
  contents: {
    rules: 'rules',
    elements: 'rules and elements',
    servers: 'rules, servers, entries and addresses',
  },
  areSame: (same: number, all: number, what: string) =>
    `${same} of ${all} ${what} are as kube-proxy writes them`,
  differ: (rules: number) => `${rules} ${rules === 1 ? 'differs' : 'differ'}`,
  areMissing: (rules: number) => `${rules} ${rules === 1 ? 'is' : 'are'} missing`,
  notWritten: (rules: number) => `${rules} not written by kube-proxy`,
}

export type RulesTexts = typeof english

const korean: RulesTexts = {
  first: '모든 패킷, 서비스 규칙 전',
  last: '모든 패킷, 서비스 규칙 후',
  others: '다른 규칙: CNI 플러그인이 작성했거나 직접 추가한 규칙',
  service: (name) => `서비스 ${name}`,
  noSuchService: '이 이름의 서비스가 없습니다',
  noRules: (why) => `규칙 없음: ${why}`,
  port: (words) => `포트 ${words}`,
  noSuchPort: '(없는 포트)',
  external: (address) => `외부 주소 ${address}`,
  endpoints: (endpoints) => `엔드포인트 ${endpoints}개`,
  podOn: (pod, node) => `${node}의 ${pod}`,
  missing: '없음',
  written: 'kube-proxy가 작성하는 규칙:',
  everyPacket: '(모든 패킷, 대상 없음)',
  contents: {
    rules: '규칙',
    elements: '규칙과 항목',
    servers: '규칙, 서버, 항목, 주소',
  },
  areSame: (same, all, what) => `${what} ${all}개 중 ${same}개가 kube-proxy가 작성하는 것과 같음`,
  differ: (rules) => `다름 ${rules}개`,
  areMissing: (rules) => `없음 ${rules}개`,
  notWritten: (rules) => `kube-proxy가 작성하지 않음 ${rules}개`,
}

/** Texts of `rules`, besides the explanations, by language. */
export const rulesTexts: Readonly<Record<Language, RulesTexts>> = { en: english, ko: korean }
