import t from 'tap'
import { InputError } from '../../../src/errors.js'
import { parseManifests } from '../../../src/cluster/manifests/manifests.js'

/** What is wrong with a manifest, without the name of the object. */
function faults(text: string): string[] {
  try {
    parseManifests([{ path: 'a.yaml', text }])
    return []
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return error.problems.map(({ message }) => message.replace(/^The \w+ "web" is invalid: /, ''))
  }
}

/** A pod with these fields of its container and of its spec. */
function pod(container: string, spec = ''): string {
  return `apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { containers: [{ name: web, image: x, ${container} }], ${spec} }
`
}

const ofContainer: Readonly<Record<string, readonly string[]>> = {
  'resources: { requests: { cpu: 1500m }, limits: { cpu: 0.50 } }': [
    'resources.requests: Invalid value: "1500m": must be less than or equal to cpu limit of 500m',
  ],
  'resources: { limits: { gpu: 1 } }': [
    'resources.limits[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified',
    'resources.limits[gpu]: Invalid value: "gpu": must be a standard resource for containers',
    // Requests default to the limits before the validation.
    'resources.requests[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified',
    'resources.requests[gpu]: Invalid value: "gpu": must be a standard resource for containers',
  ],
  'resources: { limits: { a.example/gpu: 500m } }': [
    'resources.limits[a.example/gpu]: Invalid value: "500m": must be an integer',
    'resources.requests[a.example/gpu]: Invalid value: "500m": must be an integer',
  ],
  'resources: { requests: { a.example/gpu: 1 } }': [
    'resources.limits: Required value: Limit must be set for non overcommitable resources',
  ],
  'terminationMessagePolicy: Log': [
    'terminationMessagePolicy: Unsupported value: "Log": supported values: "File", "FallbackToLogsOnError"',
  ],
  'startupProbe: { exec: { command: [a] }, successThreshold: 2 }': [
    'startupProbe.successThreshold: Invalid value: 2: must be 1',
  ],
  'readinessProbe: { exec: { command: [a] }, terminationGracePeriodSeconds: 5 }': [
    'readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes',
  ],
  'livenessProbe: { httpGet: { port: 80 }, tcpSocket: { port: 0 } }': [
    'livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type',
  ],
  'lifecycle: { preStop: { sleep: { seconds: 31 } } }': [
    'lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)',
  ],
  'volumeMounts: [{ name: a, mountPath: /a, mountPropagation: Bidirectional }]': [
    'volumeMounts[0].name: Not found: "a"',
    'volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers',
  ],
  'envFrom: [{ configMapRef: { name: a }, secretRef: { name: B } }]': [
    `envFrom[0].secretRef.name: Invalid value: "B": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    'envFrom: Invalid value: "": may not have more than one field specified at a time',
  ],
  'env: [{ name: A, valueFrom: { fieldRef: { fieldPath: "spec.x[\'a\']" } } }]': [
    `env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.x['a']": error converting fieldPath: field label does not support subscript: spec.x['a']`,
  ],
  'env: [{ name: A, valueFrom: { resourceFieldRef: { resource: limits.cpu, divisor: 1Ki } } }]': [
    `env[0].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor's values 1m and 1 are supported with the cpu resource`,
  ],
  'securityContext: { runAsUser: -1, seccompProfile: { type: Localhost } }': [
    'securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
    'securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
  ],
  'securityContext: { privileged: true, allowPrivilegeEscalation: false }': [
    'securityContext: Invalid value: {"Capabilities":null,"Privileged":true,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":null,"AppArmorProfile":null}: cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
  ],
  'securityContext: { privileged: false, allowPrivilegeEscalation: false }': [],
  'securityContext: { privileged: true }': [],
  'resizePolicy: [{ resourceName: disk, restartPolicy: NotRequired }]': [
    'resizePolicy: Unsupported value: "disk": supported values: "cpu", "memory"',
  ],
}

for (const [container, messages] of Object.entries(ofContainer))
  t.test(container, (t) => {
    t.same(
      faults(pod(container)),
      messages.map((message) => `spec.containers[0].${message}`),
    )
    t.end()
  })

const ofSpec: Readonly<Record<string, readonly string[]>> = {
  'tolerations: [{ value: a }]': [
    'tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
  ],
  'tolerations: [{ key: a, effect: NoExecutee, tolerationSeconds: 1 }]': [
    `tolerations[0].effect: Invalid value: "NoExecutee": effect must be 'NoExecute' when \`tolerationSeconds\` is set`,
    'tolerations[0].effect: Unsupported value: "NoExecutee": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
  ],
  'tolerations: [{ key: a, operator: Gt, value: "1" }]': [
    'tolerations[0].operator: Unsupported value: "Gt": supported values: "Equal", "Exists", "Lt", "Gt"',
  ],
  'tolerations: [{ key: a, operator: Equals }]': [
    'tolerations[0].operator: Unsupported value: "Equals": supported values: "Equal", "Exists"',
  ],
  'affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: a, operator: Gt, values: ["-1"] }] }] }, preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: [{ key: a, operator: Gt, values: ["-1"] }] } }] } }':
    [
      `affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values[0]: Invalid value: "-1": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
    ],
  'topologySpreadConstraints: [{ maxSkew: 1, topologyKey: z, whenUnsatisfiable: ScheduleAnyway, minDomains: 1, matchLabelKeys: [a] }]':
    [
      'topologySpreadConstraints[0].minDomains: Invalid value: 1: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway',
      'topologySpreadConstraints[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
    ],
  'affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: a, operator: Lt }] }] } } }':
    [
      "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'",
    ],
  'affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 101, podAffinityTerm: { topologyKey: z } }] } }':
    [
      'affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 101: must be in the range 1-100',
    ],
  'initContainers: [{ name: a, image: x, restartPolicy: Sometimes }, { name: a, image: x }]': [
    'initContainers[0].restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "Never", "OnFailure"',
    'initContainers[1].name: Duplicate value: "a"',
  ],
  'volumes: [{ name: a, hostPath: { path: /a/../b, type: Dir } }]': [
    `volumes[0].hostPath.path: Invalid value: "/a/../b": must not contain '..'`,
    'volumes[0].hostPath.type: Unsupported value: "Dir": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
  ],
  'os: { name: plan9 }': ['os: Unsupported value: "plan9": supported values: "linux", "windows"'],
  'preemptionPolicy: Always': [
    'preemptionPolicy: Unsupported value: "Always": supported values: "PreemptLowerPriority", "Never"',
  ],
  'nodeName: a, schedulingGates: [{ name: x }]': [
    'nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
  ],
}

for (const [spec, messages] of Object.entries(ofSpec))
  t.test(spec, (t) => {
    t.same(
      faults(pod('', spec)),
      messages.map((message) => `spec.${message}`),
    )
    t.end()
  })

t.test('a sidecar may have probes', (t) => {
  const sidecar =
    'initContainers: [{ name: a, image: x, restartPolicy: Always, readinessProbe: { tcpSocket: { port: 80 } } }]'
  t.same(faults(pod('', sidecar)), [])
  t.end()
})

t.test('a pod on a node may have ephemeral containers, as in a dump of a cluster', (t) => {
  t.same(faults(pod('', 'nodeName: node-a, ephemeralContainers: [{ name: a, image: x }]')), [])
  t.end()
})

/** A workload with these fields of its spec, of its template and of the pods. */
function workload(kind: string, spec: string, podSpec = ''): string {
  return `apiVersion: apps/v1
kind: ${kind}
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: x }], ${podSpec} }
  ${spec}
`
}

const ofWorkload: readonly (readonly [
  kind: string,
  spec: string,
  podSpec: string,
  messages: readonly string[],
])[] = [
  [
    'DaemonSet',
    'updateStrategy: { type: Never, rollingUpdate: { maxSurge: 1 } }',
    '',
    [
      'updateStrategy: Unsupported value: {"Type":"Never","RollingUpdate":{"MaxUnavailable":0,"MaxSurge":1}}: supported values: "RollingUpdate", "OnDelete"',
    ],
  ],
  [
    'StatefulSet',
    'persistentVolumeClaimRetentionPolicy: { whenDeleted: Keep }',
    '',
    [
      'persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Keep": supported values: "Retain", "Delete"',
    ],
  ],
  [
    'DaemonSet',
    'updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 101% } }',
    '',
    ['updateStrategy.rollingUpdate.maxSurge: Invalid value: "101%": must not be greater than 100%'],
  ],
  ...['Deployment', 'StatefulSet', 'DaemonSet'].map((kind) => {
    const ephemeral = 'ephemeralContainers: [{ name: debug, image: x }]'
    const message =
      'template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template'
    return [kind, '', ephemeral, [message]] as const
  }),
  [
    'Deployment',
    'replicas: -1',
    'activeDeadlineSeconds: 5, restartPolicy: Sometimes',
    [
      'replicas: Invalid value: -1: must be greater than or equal to 0',
      'template.spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
      'template.spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always"',
      'template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
    ],
  ],
]

for (const [kind, spec, podSpec, messages] of ofWorkload)
  t.test(`${kind} ${spec} ${podSpec}`, (t) => {
    t.same(faults(workload(kind, spec, podSpec)).sort(), messages.map((message) => `spec.${message}`).sort())
    t.end()
  })
