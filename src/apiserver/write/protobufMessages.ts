/** The type of a field: a scalar, a map of texts, or a message; `*` marks a repeated one. */
export type FieldType = 'text' | 'int' | 'bool' | 'texts' | 'bytesMap' | 'intOrString' | (() => Message)

/** Fields by number: the JSON name and the type; repeated fields have a name that ends with `[]`. */
export interface Message {
  readonly [number: number]: readonly [name: string, type: FieldType]
}

export const objectMeta: Message = {
  1: ['name', 'text'],
  2: ['generateName', 'text'],
  3: ['namespace', 'text'],
  5: ['uid', 'text'],
  6: ['resourceVersion', 'text'],
  11: ['labels', 'texts'],
  12: ['annotations', 'texts'],
  13: ['ownerReferences[]', () => owner],
}
const owner: Message = {
  1: ['kind', 'text'],
  3: ['name', 'text'],
  4: ['uid', 'text'],
  5: ['apiVersion', 'text'],
  6: ['controller', 'bool'],
  7: ['blockOwnerDeletion', 'bool'],
}
const meta = ['metadata', () => objectMeta] as const
const requirement: Message = { 1: ['key', 'text'], 2: ['operator', 'text'], 3: ['values[]', 'text'] }
const selector: Message = { 1: ['matchLabels', 'texts'], 2: ['matchExpressions[]', () => requirement] }
const containerPort: Message = {
  1: ['name', 'text'],
  2: ['hostPort', 'int'],
  3: ['containerPort', 'int'],
  4: ['protocol', 'text'],
  5: ['hostIP', 'text'],
}
const container: Message = {
  1: ['name', 'text'],
  2: ['image', 'text'],
  3: ['command[]', 'text'],
  4: ['args[]', 'text'],
  5: ['workingDir', 'text'],
  6: ['ports[]', () => containerPort],
  7: ['env[]', () => ({ 1: ['name', 'text'], 2: ['value', 'text'] })],
  8: ['resources', () => ({})],
  9: ['volumeMounts[]', () => volumeMount],
  13: ['terminationMessagePath', 'text'],
  14: ['imagePullPolicy', 'text'],
  15: ['securityContext', () => securityContext],
  16: ['stdin', 'bool'],
  17: ['stdinOnce', 'bool'],
  18: ['tty', 'bool'],
  20: ['terminationMessagePolicy', 'text'],
}
const securityContext: Message = {
  1: ['capabilities', () => ({ 1: ['add[]', 'text'], 2: ['drop[]', 'text'] })],
  2: ['privileged', 'bool'],
  4: ['runAsUser', 'int'],
  5: ['runAsNonRoot', 'bool'],
}
const volumeMount: Message = {
  1: ['name', 'text'],
  2: ['readOnly', 'bool'],
  3: ['mountPath', 'text'],
  4: ['subPath', 'text'],
}
const volume: Message = {
  1: ['name', 'text'],
  // VolumeSource is inline in JSON.
  2: ['', () => ({ 1: ['hostPath', () => ({ 1: ['path', 'text'], 2: ['type', 'text'] })] })],
}
const toleration: Message = {
  1: ['key', 'text'],
  2: ['operator', 'text'],
  3: ['value', 'text'],
  4: ['effect', 'text'],
  5: ['tolerationSeconds', 'int'],
}
const podSpec: Message = {
  1: ['volumes[]', () => volume],
  2: ['containers[]', () => container],
  3: ['restartPolicy', 'text'],
  4: ['terminationGracePeriodSeconds', 'int'],
  6: ['dnsPolicy', 'text'],
  7: ['nodeSelector', 'texts'],
  8: ['serviceAccountName', 'text'],
  9: ['serviceAccount', 'text'],
  10: ['nodeName', 'text'],
  11: ['hostNetwork', 'bool'],
  12: ['hostPID', 'bool'],
  13: ['hostIPC', 'bool'],
  16: ['hostname', 'text'],
  17: ['subdomain', 'text'],
  19: ['schedulerName', 'text'],
  20: ['initContainers[]', () => container],
  22: ['tolerations[]', () => toleration],
  25: ['priority', 'int'],
  27: ['shareProcessNamespace', 'bool'],
  30: ['enableServiceLinks', 'bool'],
  31: ['preemptionPolicy', 'text'],
}
const podTemplate: Message = { 1: meta, 2: ['spec', () => podSpec] }
const jobSpec: Message = {
  1: ['parallelism', 'int'],
  2: ['completions', 'int'],
  3: ['activeDeadlineSeconds', 'int'],
  6: ['template', () => podTemplate],
  7: ['backoffLimit', 'int'],
  8: ['ttlSecondsAfterFinished', 'int'],
  9: ['completionMode', 'text'],
  10: ['suspend', 'bool'],
  14: ['podReplacementPolicy', 'text'],
}
const cronJobSpec: Message = {
  1: ['schedule', 'text'],
  2: ['startingDeadlineSeconds', 'int'],
  3: ['concurrencyPolicy', 'text'],
  4: ['suspend', 'bool'],
  5: ['jobTemplate', () => ({ 1: meta, 2: ['spec', () => jobSpec] })],
  6: ['successfulJobsHistoryLimit', 'int'],
  7: ['failedJobsHistoryLimit', 'int'],
  8: ['timeZone', 'text'],
}
const deploymentSpec: Message = {
  1: ['replicas', 'int'],
  2: ['selector', () => selector],
  3: ['template', () => podTemplate],
  4: ['strategy', () => ({ 1: ['type', 'text'] })],
}
const servicePort: Message = {
  1: ['name', 'text'],
  2: ['protocol', 'text'],
  3: ['port', 'int'],
  4: ['targetPort', 'intOrString'],
  5: ['nodePort', 'int'],
  6: ['appProtocol', 'text'],
}
const serviceSpec: Message = {
  1: ['ports[]', () => servicePort],
  2: ['selector', 'texts'],
  3: ['clusterIP', 'text'],
  4: ['type', 'text'],
  5: ['externalIPs[]', 'text'],
  7: ['sessionAffinity', 'text'],
  10: ['externalName', 'text'],
  11: ['externalTrafficPolicy', 'text'],
  13: ['publishNotReadyAddresses', 'bool'],
  18: ['clusterIPs[]', 'text'],
}
const serviceBackend: Message = {
  1: ['name', 'text'],
  2: ['port', () => ({ 1: ['name', 'text'], 2: ['number', 'int'] })],
}
const backend: Message = { 4: ['service', () => serviceBackend] }
const ingressPath: Message = { 1: ['path', 'text'], 2: ['backend', () => backend], 3: ['pathType', 'text'] }
const ingressRule: Message = {
  1: ['host', 'text'],
  // IngressRuleValue is inline in JSON.
  2: ['', () => ({ 1: ['http', () => ({ 1: ['paths[]', () => ingressPath] })] })],
}
const ingressSpec: Message = {
  1: ['defaultBackend', () => backend],
  2: ['tls[]', () => ({ 1: ['hosts[]', 'text'], 2: ['secretName', 'text'] })],
  3: ['rules[]', () => ingressRule],
  4: ['ingressClassName', 'text'],
}
const budgetSpec: Message = {
  1: ['minAvailable', 'intOrString'],
  2: ['selector', () => selector],
  3: ['maxUnavailable', 'intOrString'],
}

const preconditions: Message = { 1: ['uid', 'text'], 2: ['resourceVersion', 'text'] }
const deleteOptions: Message = {
  1: ['gracePeriodSeconds', 'int'],
  2: ['preconditions', () => preconditions],
  3: ['orphanDependents', 'bool'],
  4: ['propagationPolicy', 'text'],
  5: ['dryRun[]', 'text'],
}

/** The kinds that `kubectl create KIND` and `kubectl debug` send, with the fields that it sets, and those that k9s sends (generated.proto of k8s.io/api). */
export const messages: Readonly<Record<string, Message>> = {
  ConfigMap: { 1: meta, 2: ['data', 'texts'], 3: ['binaryData', 'bytesMap'], 4: ['immutable', 'bool'] },
  CronJob: { 1: meta, 2: ['spec', () => cronJobSpec] },
  DeleteOptions: deleteOptions,
  Deployment: { 1: meta, 2: ['spec', () => deploymentSpec] },
  Eviction: { 1: meta, 2: ['deleteOptions', () => deleteOptions] },
  Ingress: { 1: meta, 2: ['spec', () => ingressSpec] },
  Job: { 1: meta, 2: ['spec', () => jobSpec] },
  Namespace: { 1: meta },
  Pod: { 1: meta, 2: ['spec', () => podSpec] },
  PodDisruptionBudget: { 1: meta, 2: ['spec', () => budgetSpec] },
  PriorityClass: {
    1: meta,
    2: ['value', 'int'],
    3: ['globalDefault', 'bool'],
    4: ['description', 'text'],
    5: ['preemptionPolicy', 'text'],
  },
  // the status is that of the server
  Scale: { 1: meta, 2: ['spec', () => ({ 1: ['replicas', 'int'] })] },
  Secret: { 1: meta, 2: ['data', 'bytesMap'], 3: ['type', 'text'], 5: ['immutable', 'bool'] },
  Service: { 1: meta, 2: ['spec', () => serviceSpec] },
}
