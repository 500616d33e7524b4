/** Source: Kubernetes API reference v1.36 (networking.k8s.io/v1). */

import type { KubeObject } from './object.js'

export interface IngressBackend {
  service?: { name: string; port: { name?: string; number?: number } }
  resource?: { apiGroup?: string; kind: string; name: string }
}

export interface IngressPath {
  path?: string
  pathType?: string
  backend: IngressBackend
}

export interface Ingress extends KubeObject {
  kind: 'Ingress'
  spec: {
    ingressClassName?: string
    defaultBackend?: IngressBackend
    rules?: { host?: string; http?: { paths: IngressPath[] } }[]
    tls?: { hosts?: string[]; secretName?: string }[]
  }
  status?: { loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] } }
}

export interface IngressClass extends KubeObject {
  kind: 'IngressClass'
  spec: {
    controller: string
    parameters?: {
      apiGroup?: string
      kind: string
      name: string
      scope?: 'Cluster' | 'Namespace'
      namespace?: string
    }
  }
}
