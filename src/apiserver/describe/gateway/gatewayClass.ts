import { namespacedName } from '../../../cluster/namespacedName.js'
import type { GatewayClass } from '../../../cluster/types/gateway.js'
import type { Describer } from '../describer.js'
import { conditionOf, conditionText } from './conditionText.js'

/**
 * A GatewayClass: its controller, whether the controller accepts it, the features of the proxy, and the Gateways of
 * the class.
 */
export const gatewayClassDescriber: Describer<GatewayClass> = {
  kind: 'GatewayClass',
  needs: ['gateways'],
  describe({ metadata, spec, status }, { gateways = [] }) {
    const own = gateways.filter((gateway) => gateway.spec.gatewayClassName === metadata.name)
    const { parametersRef } = spec
    const accepted = conditionOf(status?.conditions, 'Accepted')
    const features = (status?.supportedFeatures ?? []).map(({ name }) => name)
    return {
      fields: [
        ['Controller', spec.controllerName],
        ['Description', spec.description ?? '<none>'],
        [
          'Parameters',
          parametersRef === undefined ? '<none>' : `${parametersRef.kind}/${parametersRef.name}`,
        ],
        ['Accepted', conditionText(accepted, `no controller of the lab is ${spec.controllerName}`)],
        ['Gateways', own.length === 0 ? '<none>' : own.map(namespacedName)],
        ['Features', features.length === 0 ? '<none>' : features],
      ],
      sections: [],
    }
  },
}
