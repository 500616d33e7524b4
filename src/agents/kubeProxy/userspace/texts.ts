import type { Language } from '../../../text/language.js'

const toProxy = 'to kube-proxy’s own port, which accepts the connection'

const english = {
  portalsContainer: 'matches Service addresses, from pods and other hosts',
  portalsHost: 'matches Service addresses, from this node’s own processes',
  nodePortContainer: 'matches node ports, from pods and other hosts',
  nodePortHost: 'matches node ports, from this node’s own processes',
  nodePortNonLocal: 'accepts clients of node ports, whatever the policy of INPUT',
  clusterIP: `spec.clusterIP: ${toProxy}`,
  clusterIPFromNode: `spec.clusterIP, from this node itself: ${toProxy}`,
  externalIPNotBridged: `spec.externalIPs, not from a pod behind a bridge: ${toProxy}`,
  externalIPHere: `spec.externalIPs, an address of this node: ${toProxy}`,
  loadBalancerIP: `status.loadBalancer.ingress: ${toProxy}`,
  loadBalancerIPFromNode: `status.loadBalancer.ingress, from this node itself: ${toProxy}`,
  nodePort: `spec.ports[].nodePort: ${toProxy}`,
  nodePortClients:
    'accepts clients of the node port; the port is kube-proxy’s, because the packet is already redirected',
}

type UserspaceTexts = typeof english

const received = '연결을 받는 kube-proxy 자신의 포트로 보냅니다'

const korean: UserspaceTexts = {
  portalsContainer: '파드와 다른 호스트에서 온 패킷이 서비스 주소와 일치하는지 확인합니다',
  portalsHost: '이 노드의 프로세스가 보낸 패킷이 서비스 주소와 일치하는지 확인합니다',
  nodePortContainer: '파드와 다른 호스트에서 온 패킷이 노드포트와 일치하는지 확인합니다',
  nodePortHost: '이 노드의 프로세스가 보낸 패킷이 노드포트와 일치하는지 확인합니다',
  nodePortNonLocal: 'INPUT의 정책과 상관없이 노드포트 클라이언트의 연결을 허용합니다',
  clusterIP: `spec.clusterIP: ${received}`,
  clusterIPFromNode: `spec.clusterIP, 이 노드 자신이 보낸 패킷: ${received}`,
  externalIPNotBridged: `spec.externalIPs, 브리지 뒤의 파드에서 오지 않은 패킷: ${received}`,
  externalIPHere: `spec.externalIPs, 이 노드의 주소: ${received}`,
  loadBalancerIP: `status.loadBalancer.ingress: ${received}`,
  loadBalancerIPFromNode: `status.loadBalancer.ingress, 이 노드 자신이 보낸 패킷: ${received}`,
  nodePort: `spec.ports[].nodePort: ${received}`,
  nodePortClients:
    '노드포트 클라이언트의 연결을 허용합니다. 패킷은 이미 리디렉션되었으므로 포트는 kube-proxy의 포트입니다',
}

/** Why mode userspace writes a rule; see `userspaceTexts`. */
export type UserspaceReason = keyof UserspaceTexts

/** Explanations of the rules of mode userspace, by language. */
export const userspaceTexts: Readonly<Record<Language, UserspaceTexts>> = { en: english, ko: korean }
