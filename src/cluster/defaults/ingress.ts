import type { Ingress } from '../types.js'

/** An Ingress as it is stored when it is made: its status is for a controller to write (PrepareForCreate). */
export function defaultIngress({ status: _status, ...ingress }: Ingress): Ingress {
  return ingress
}
