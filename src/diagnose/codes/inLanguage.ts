import type { Language } from '../../text/language.js'
import { codes, type Code, type CodeSubject } from './codes.js'
import type { Explanation, ExplanationText } from './explanation.js'
import { koreanClusterCodes } from './korean/clusterCodes.js'
import { koreanHostCodes } from './korean/hostCodes.js'
import { koreanIngressCodes } from './korean/ingressCodes.js'
import { koreanPolicyCodes } from './korean/policyCodes.js'
import { koreanRequestCodes } from './korean/requestCodes.js'
import { koreanRuleCodes } from './korean/ruleCodes.js'
import { koreanServiceCodes } from './korean/serviceCodes.js'

const korean: Readonly<Record<Code, ExplanationText>> = {
  ...koreanServiceCodes,
  ...koreanIngressCodes,
  ...koreanRequestCodes,
  ...koreanHostCodes,
  ...koreanRuleCodes,
  ...koreanPolicyCodes,
  ...koreanClusterCodes,
}

const texts: Readonly<Record<Language, Readonly<Record<Code, ExplanationText>>>> = { en: codes, ko: korean }

/** The explanation of a code; its commands are the same in every language. */
export function explanationOf(code: Code, language: Language): Explanation {
  const { title, text, fix } = texts[language][code]
  return { title, text, look: codes[code].look, fix }
}

const koreanSubjects: Readonly<Record<CodeSubject, string>> = {
  'Services and endpoints': '서비스와 엔드포인트',
  'Ingresses and routes': 'Ingress와 라우트',
  Requests: '요청',
  Hosts: '호스트',
  'Rules and ends': '규칙과 경로의 끝',
  'Network policies': 'NetworkPolicy',
  'Clusters and nodes': '클러스터와 노드',
}

/** The heading of a subject. */
export function subjectHeading(subject: CodeSubject, language: Language): string {
  return language === 'ko' ? koreanSubjects[subject] : subject
}
