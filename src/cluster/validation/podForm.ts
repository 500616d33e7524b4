import type { PodSpec } from '../types.js'
import { inOrder, internalForm } from './internalForm.js'

const exec = [{ Command: null }]
const tcpSocket = [{ Port: 0, Host: '' }]
const httpGet = [{ Path: '', Port: 0, Host: '', Scheme: '', HTTPHeaders: [{ Name: '', Value: '' }] }]

const probe = [
  {
    ...{ Exec: exec, HTTPGet: httpGet, TCPSocket: tcpSocket, GRPC: [{ Port: 0, Service: null }] },
    ...{ InitialDelaySeconds: 0, TimeoutSeconds: 0, PeriodSeconds: 0, SuccessThreshold: 0 },
    ...{ FailureThreshold: 0, TerminationGracePeriodSeconds: null },
  },
]

const hook = [{ Exec: exec, HTTPGet: httpGet, TCPSocket: tcpSocket, Sleep: [{ Seconds: 0 }] }]

const fieldRef = [{ APIVersion: 'v1', FieldPath: '' }]
const resourceFieldRef = [{ ContainerName: '', Resource: '', Divisor: '0' }]
const keyRef = [{ Name: '', Key: '', Optional: null }]
const nameRef = [{ Name: '', Optional: null }]
const resources = { Limits: null, Requests: null, Claims: [{ Name: '', Request: '' }] }
const profile = [{ Type: '', LocalhostProfile: null }]
const seLinux = [{ User: '', Role: '', Type: '', Level: '' }]
const windows = [
  { GMSACredentialSpecName: null, GMSACredentialSpec: null, RunAsUserName: null, HostProcess: null },
]

/** A security context of a container, as messages show it. */
export const securityForm = [
  {
    ...{ Capabilities: [{ Add: null, Drop: null }], Privileged: null, SELinuxOptions: seLinux },
    ...{ WindowsOptions: windows, RunAsUser: null, RunAsGroup: null, RunAsNonRoot: null },
    ...{ ReadOnlyRootFilesystem: null, AllowPrivilegeEscalation: null, ProcMount: null },
    ...{ SeccompProfile: profile, AppArmorProfile: profile },
  },
]

const mount = {
  ...{ Name: '', ReadOnly: false, RecursiveReadOnly: null, MountPath: '', SubPath: '' },
  ...{ MountPropagation: null, SubPathExpr: '' },
}

const container = {
  ...{ Name: '', Image: '', Command: null, Args: null, WorkingDir: '' },
  Ports: [{ Name: '', HostPort: 0, ContainerPort: 0, Protocol: '', HostIP: '' }],
  EnvFrom: [{ Prefix: '', ConfigMapRef: nameRef, SecretRef: nameRef }],
  Env: [
    {
      ...{ Name: '', Value: '' },
      ValueFrom: [
        {
          ...{ FieldRef: fieldRef, ResourceFieldRef: resourceFieldRef, ConfigMapKeyRef: keyRef },
          ...{ SecretKeyRef: keyRef, FileKeyRef: null },
        },
      ],
    },
  ],
  Resources: resources,
  ResizePolicy: [{ ResourceName: '', RestartPolicy: '' }],
  RestartPolicy: null,
  RestartPolicyRules: [{ Action: '', ExitCodes: [{ Operator: '', Values: null }] }],
  VolumeMounts: [mount],
  VolumeDevices: [{ Name: '', DevicePath: '' }],
  ...{ LivenessProbe: probe, ReadinessProbe: probe, StartupProbe: probe },
  Lifecycle: [{ PostStart: hook, PreStop: hook, StopSignal: null }],
  ...{ TerminationMessagePath: '', TerminationMessagePolicy: '', ImagePullPolicy: '' },
  SecurityContext: securityForm,
  ...{ Stdin: false, StdinOnce: false, TTY: false },
}

const keyToPath = [{ Key: '', Path: '', Mode: null }]
const downwardItems = [{ Path: '', FieldRef: fieldRef, ResourceFieldRef: resourceFieldRef, Mode: null }]
const projected = { Name: '', Items: keyToPath, Optional: null }

const volume = {
  Name: '',
  HostPath: [{ Path: '', Type: null }],
  EmptyDir: [{ Medium: '', SizeLimit: null }],
  ...{ GCEPersistentDisk: null, AWSElasticBlockStore: null, GitRepo: null },
  Secret: [{ SecretName: '', Items: keyToPath, DefaultMode: null, Optional: null }],
  ...{ NFS: null, ISCSI: null, Glusterfs: null },
  PersistentVolumeClaim: [{ ClaimName: '', ReadOnly: false }],
  ...{ RBD: null, Quobyte: null, FlexVolume: null, Cinder: null, CephFS: null, Flocker: null },
  DownwardAPI: [{ Items: downwardItems, DefaultMode: null }],
  ...{ FC: null, AzureFile: null },
  ConfigMap: [{ Name: '', Items: keyToPath, DefaultMode: null, Optional: null }],
  ...{ VsphereVolume: null, AzureDisk: null, PhotonPersistentDisk: null },
  Projected: [
    {
      Sources: [
        {
          ...{ Secret: [projected], DownwardAPI: [{ Items: downwardItems }], ConfigMap: [projected] },
          ServiceAccountToken: [{ Audience: '', ExpirationSeconds: 0, Path: '' }],
          ...{ ClusterTrustBundle: null, PodCertificate: null },
        },
      ],
      DefaultMode: null,
    },
  ],
  ...{ PortworxVolume: null, ScaleIO: null, StorageOS: null, CSI: null, Ephemeral: null, Image: null },
}

const podSecurity = {
  ...{ HostNetwork: false, HostPID: false, HostIPC: false, ShareProcessNamespace: null, HostUsers: null },
  ...{ SELinuxOptions: seLinux, WindowsOptions: windows, RunAsUser: null, RunAsGroup: null },
  ...{ RunAsNonRoot: null, SupplementalGroups: null, SupplementalGroupsPolicy: null, FSGroup: null },
  ...{ FSGroupChangePolicy: null, Sysctls: [{ Name: '', Value: '' }], SeccompProfile: profile },
  ...{ AppArmorProfile: profile, SELinuxChangePolicy: null },
}

const labelSelector = inOrder(['matchLabels', 'matchExpressions'])

const requirement = { Key: '', Operator: '', Values: null }
const nodeTerm = { MatchExpressions: [requirement], MatchFields: [requirement] }
const podTerm = {
  ...{ LabelSelector: labelSelector, Namespaces: null, TopologyKey: '', NamespaceSelector: null },
  ...{ MatchLabelKeys: null, MismatchLabelKeys: null },
}
const podAffinity = [
  {
    RequiredDuringSchedulingIgnoredDuringExecution: [podTerm],
    PreferredDuringSchedulingIgnoredDuringExecution: [{ Weight: 0, PodAffinityTerm: podTerm }],
  },
]

const affinity = {
  NodeAffinity: [
    {
      RequiredDuringSchedulingIgnoredDuringExecution: [{ NodeSelectorTerms: [nodeTerm] }],
      PreferredDuringSchedulingIgnoredDuringExecution: [{ Weight: 0, Preference: nodeTerm }],
    },
  ],
  ...{ PodAffinity: podAffinity, PodAntiAffinity: podAffinity },
}

/** PodSpec of Kubernetes v1.36 (pkg/apis/core/types.go). */
const podSpec = {
  ...{ Volumes: [volume], InitContainers: [container], Containers: [container] },
  EphemeralContainers: [{ ...container, TargetContainerName: '' }],
  ...{ RestartPolicy: 'Always', TerminationGracePeriodSeconds: 30, ActiveDeadlineSeconds: null },
  ...{ DNSPolicy: 'ClusterFirst', NodeSelector: null, ServiceAccountName: '' },
  ...{ AutomountServiceAccountToken: null, NodeName: '', SecurityContext: podSecurity },
  ...{ ImagePullSecrets: [{ Name: '' }], Hostname: '', Subdomain: '', SetHostnameAsFQDN: null },
  ...{ Affinity: [affinity], SchedulerName: 'default-scheduler' },
  Tolerations: [{ Key: '', Operator: '', Value: '', Effect: '', TolerationSeconds: null }],
  ...{ HostAliases: [{ IP: '', Hostnames: null }], PriorityClassName: '', Priority: null },
  ...{ PreemptionPolicy: null },
  DNSConfig: [{ Nameservers: null, Searches: null, Options: [{ Name: '', Value: null }] }],
  ...{ ReadinessGates: [{ ConditionType: '' }], RuntimeClassName: null, Overhead: null },
  EnableServiceLinks: null,
  TopologySpreadConstraints: [
    {
      ...{
        MaxSkew: 0,
        TopologyKey: '',
        WhenUnsatisfiable: '',
        LabelSelector: labelSelector,
        MinDomains: null,
      },
      ...{ NodeAffinityPolicy: null, NodeTaintsPolicy: null, MatchLabelKeys: null },
    },
  ],
  ...{ OS: [{ Name: '' }], SchedulingGates: [{ Name: '' }] },
  ResourceClaims: [{ Name: '', ResourceClaimName: null, ResourceClaimTemplateName: null }],
  ...{ Resources: [resources], HostnameOverride: null, SchedulingGroup: [{ PodGroupName: null }] },
}

/** A PodSpec as the API server prints it in the difference that an update makes. */
export function podSpecText(spec: PodSpec): string {
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers } = spec
  const host = { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers }
  const securityContext = { ...(spec['securityContext'] as object | undefined), ...host }
  return JSON.stringify(internalForm(podSpec, { ...spec, securityContext }), null, 1).replace(
    // as Go writes text for HTML
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
