import { bool, int32, list, string, stringMap, stringType, strings, struct } from './field.js'
import { objectSchema } from './metadata.js'

const hints = struct('EndpointHints', {
  forZones: list(struct('ForZone', { name: string }, ['name'])),
  forNodes: list(struct('ForNode', { name: string }, ['name'])),
})

const objectReference = struct(
  'ObjectReference',
  {
    kind: string,
    namespace: string,
    name: string,
    uid: string,
    apiVersion: string,
    resourceVersion: string,
    fieldPath: string,
  },
  ['kind', 'name'],
)

const endpoint = struct(
  'Endpoint',
  {
    addresses: strings,
    conditions: struct('EndpointConditions', { ready: bool, serving: bool, terminating: bool }),
    hostname: string,
    targetRef: objectReference,
    deprecatedTopology: stringMap,
    nodeName: string,
    zone: string,
    hints,
  },
  ['addresses'],
)

const endpointPort = struct('EndpointPort', {
  name: string,
  protocol: stringType('Protocol'),
  port: int32,
  appProtocol: string,
})

/** EndpointSlice of discovery.k8s.io/v1. */
export const endpointSliceSchema = objectSchema(
  'EndpointSlice',
  { addressType: stringType('AddressType'), endpoints: list(endpoint), ports: list(endpointPort) },
  ['addressType', 'endpoints'],
)
