import { count } from '../text/count.js'
import type { Language } from '../text/language.js'

const english = {
  fabric: 'fabric',
  /** Before a node's range of pod addresses. */
  podCIDRs: 'pods',
  service: 'Service',
  external: 'external',
  at: (address: string, node: string) => `${address} at ${node}`,
  port: 'port',
  noEndpoints: 'no ready endpoints',
  pods: (pods: number) => `${pods} pods:`,
  more: (more: number) => `and ${more} more`,
  morePods: (more: number) => `and ${count(more, 'more pod')}`,
  moreNodes: (more: number) => `and ${count(more, 'more node')}`,
  moreServices: (more: number) => `and ${count(more, 'more Service')}`,
}

export type PictureTexts = typeof english

const korean: PictureTexts = {
  fabric: '노드 네트워크',
  podCIDRs: '파드',
  service: '서비스',
  external: '외부 주소',
  at: (address, node) => `${address} (노드 ${node})`,
  port: '포트',
  noEndpoints: '준비된 엔드포인트 없음',
  pods: (pods) => `파드 ${pods}개:`,
  more: (more) => `외 ${more}개`,
  morePods: (more) => `외 파드 ${more}개`,
  moreNodes: (more) => `외 노드 ${more}개`,
  moreServices: (more) => `외 서비스 ${more}개`,
}

/** Texts of the picture of a lab, by language. */
export const pictureTexts: Readonly<Record<Language, PictureTexts>> = { en: english, ko: korean }
