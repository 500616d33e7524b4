/** A field of a Go struct: its names in Go and in JSON, and its Go type; an embedded struct has no JSON name. */
export interface GoField {
  readonly name: string
  readonly json: string | undefined
  readonly type: string
}

/**
 * The structs of a PodTemplateSpec with their fields in the order of Kubernetes 1.36 (k8s.io/api/core/v1 and
 * apimachinery's meta/v1). A line holds `Struct: Field type, …`; `+Struct` is embedded, and `Field=name` has a JSON name
 * that is not its own one with a small first letter.
 */
const table = `
AWSElasticBlockStoreVolumeSource: VolumeID string, FSType=fsType string, Partition int32, ReadOnly bool
Affinity: NodeAffinity *NodeAffinity, PodAffinity *PodAffinity, PodAntiAffinity *PodAntiAffinity
AppArmorProfile: Type AppArmorProfileType, LocalhostProfile *string
AzureDiskVolumeSource: DiskName string, DataDiskURI=diskURI string, CachingMode *AzureDataDiskCachingMode,
  FSType=fsType *string, ReadOnly *bool, Kind *AzureDataDiskKind
AzureFileVolumeSource: SecretName string, ShareName string, ReadOnly bool
CSIVolumeSource: Driver string, ReadOnly *bool, FSType=fsType *string, VolumeAttributes map[string]string,
  NodePublishSecretRef *LocalObjectReference
Capabilities: Add []Capability, Drop []Capability
CephFSVolumeSource: Monitors []string, Path string, User string, SecretFile string, SecretRef
  *LocalObjectReference, ReadOnly bool
CinderVolumeSource: VolumeID string, FSType=fsType string, ReadOnly bool, SecretRef *LocalObjectReference
ClusterTrustBundleProjection: Name *string, SignerName *string, LabelSelector *LabelSelector, Optional
  *bool, Path string
ConfigMapEnvSource: +LocalObjectReference, Optional *bool
ConfigMapKeySelector: +LocalObjectReference, Key string, Optional *bool
ConfigMapProjection: +LocalObjectReference, Items []KeyToPath, Optional *bool
ConfigMapVolumeSource: +LocalObjectReference, Items []KeyToPath, DefaultMode *int32, Optional *bool
Container: Name string, Image string, Command []string, Args []string, WorkingDir string, Ports
  []ContainerPort, EnvFrom []EnvFromSource, Env []EnvVar, Resources ResourceRequirements, ResizePolicy
  []ContainerResizePolicy, RestartPolicy *ContainerRestartPolicy, RestartPolicyRules []ContainerRestartRule,
  VolumeMounts []VolumeMount, VolumeDevices []VolumeDevice, LivenessProbe *Probe, ReadinessProbe *Probe,
  StartupProbe *Probe, Lifecycle *Lifecycle, TerminationMessagePath string, TerminationMessagePolicy
  TerminationMessagePolicy, ImagePullPolicy PullPolicy, SecurityContext *SecurityContext, Stdin bool,
  StdinOnce bool, TTY=tty bool
ContainerPort: Name string, HostPort int32, ContainerPort int32, Protocol Protocol, HostIP string
ContainerResizePolicy: ResourceName ResourceName, RestartPolicy ResourceResizeRestartPolicy
ContainerRestartRule: Action ContainerRestartRuleAction, ExitCodes *ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes: Operator ContainerRestartRuleOnExitCodesOperator, Values []int32
DownwardAPIProjection: Items []DownwardAPIVolumeFile
DownwardAPIVolumeFile: Path string, FieldRef *ObjectFieldSelector, ResourceFieldRef *ResourceFieldSelector,
  Mode *int32
DownwardAPIVolumeSource: Items []DownwardAPIVolumeFile, DefaultMode *int32
EmptyDirVolumeSource: Medium StorageMedium, SizeLimit *Quantity
EnvFromSource: Prefix string, ConfigMapRef *ConfigMapEnvSource, SecretRef *SecretEnvSource
EnvVar: Name string, Value string, ValueFrom *EnvVarSource
EnvVarSource: FieldRef *ObjectFieldSelector, ResourceFieldRef *ResourceFieldSelector, ConfigMapKeyRef
  *ConfigMapKeySelector, SecretKeyRef *SecretKeySelector, FileKeyRef *FileKeySelector
EphemeralContainer: +EphemeralContainerCommon, TargetContainerName string
EphemeralContainerCommon: Name string, Image string, Command []string, Args []string, WorkingDir string,
  Ports []ContainerPort, EnvFrom []EnvFromSource, Env []EnvVar, Resources ResourceRequirements, ResizePolicy
  []ContainerResizePolicy, RestartPolicy *ContainerRestartPolicy, RestartPolicyRules []ContainerRestartRule,
  VolumeMounts []VolumeMount, VolumeDevices []VolumeDevice, LivenessProbe *Probe, ReadinessProbe *Probe,
  StartupProbe *Probe, Lifecycle *Lifecycle, TerminationMessagePath string, TerminationMessagePolicy
  TerminationMessagePolicy, ImagePullPolicy PullPolicy, SecurityContext *SecurityContext, Stdin bool,
  StdinOnce bool, TTY=tty bool
EphemeralVolumeSource: VolumeClaimTemplate *PersistentVolumeClaimTemplate
ExecAction: Command []string
FCVolumeSource: TargetWWNs []string, Lun *int32, FSType=fsType string, ReadOnly bool, WWIDs=wwids []string
FileKeySelector: VolumeName string, Path string, Key string, Optional *bool
FlexVolumeSource: Driver string, FSType=fsType string, SecretRef *LocalObjectReference, ReadOnly bool,
  Options map[string]string
FlockerVolumeSource: DatasetName string, DatasetUUID string
GCEPersistentDiskVolumeSource: PDName=pdName string, FSType=fsType string, Partition int32, ReadOnly bool
GRPCAction: Port int32, Service *string
GitRepoVolumeSource: Repository string, Revision string, Directory string
GlusterfsVolumeSource: EndpointsName=endpoints string, Path string, ReadOnly bool
HTTPGetAction: Path string, Port IntOrString, Host string, Scheme URIScheme, HTTPHeaders=httpHeaders
  []HTTPHeader
HTTPHeader: Name string, Value string
HostAlias: IP=ip string, Hostnames []string
HostPathVolumeSource: Path string, Type *HostPathType
ISCSIVolumeSource: TargetPortal string, IQN=iqn string, Lun int32, ISCSIInterface=iscsiInterface string,
  FSType=fsType string, ReadOnly bool, Portals []string, DiscoveryCHAPAuth=chapAuthDiscovery bool,
  SessionCHAPAuth=chapAuthSession bool, SecretRef *LocalObjectReference, InitiatorName *string
ImageVolumeSource: Reference string, PullPolicy PullPolicy
KeyToPath: Key string, Path string, Mode *int32
LabelSelector: MatchLabels map[string]string, MatchExpressions []LabelSelectorRequirement
LabelSelectorRequirement: Key string, Operator LabelSelectorOperator, Values []string
Lifecycle: PostStart *LifecycleHandler, PreStop *LifecycleHandler, StopSignal *Signal
LifecycleHandler: Exec *ExecAction, HTTPGet=httpGet *HTTPGetAction, TCPSocket=tcpSocket *TCPSocketAction,
  Sleep *SleepAction
LocalObjectReference: Name string
NFSVolumeSource: Server string, Path string, ReadOnly bool
NodeAffinity: RequiredDuringSchedulingIgnoredDuringExecution *NodeSelector,
  PreferredDuringSchedulingIgnoredDuringExecution []PreferredSchedulingTerm
NodeSelector: NodeSelectorTerms []NodeSelectorTerm
NodeSelectorRequirement: Key string, Operator NodeSelectorOperator, Values []string
NodeSelectorTerm: MatchExpressions []NodeSelectorRequirement, MatchFields []NodeSelectorRequirement
ObjectFieldSelector: APIVersion=apiVersion string, FieldPath string
ObjectMeta: Name string, GenerateName string, Namespace string, SelfLink string, UID=uid UID,
  ResourceVersion string, Generation int64, CreationTimestamp Time, DeletionTimestamp *Time,
  DeletionGracePeriodSeconds *int64, Labels map[string]string, Annotations map[string]string,
  OwnerReferences []OwnerReference, Finalizers []string, ManagedFields []ManagedFieldsEntry
OwnerReference: APIVersion=apiVersion string, Kind string, Name string, UID=uid UID, Controller *bool,
  BlockOwnerDeletion *bool
PersistentVolumeClaimSpec: AccessModes []PersistentVolumeAccessMode, Selector *LabelSelector, Resources
  VolumeResourceRequirements, VolumeName string, StorageClassName *string, VolumeMode *PersistentVolumeMode,
  DataSource *TypedLocalObjectReference, DataSourceRef *TypedObjectReference, VolumeAttributesClassName
  *string
PersistentVolumeClaimTemplate: ObjectMeta=metadata ObjectMeta, Spec PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource: ClaimName string, ReadOnly bool
PhotonPersistentDiskVolumeSource: PdID string, FSType=fsType string
PodAffinity: RequiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm,
  PreferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm
PodAffinityTerm: LabelSelector *LabelSelector, Namespaces []string, TopologyKey string, NamespaceSelector
  *LabelSelector, MatchLabelKeys []string, MismatchLabelKeys []string
PodAntiAffinity: RequiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm,
  PreferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm
PodCertificateProjection: SignerName string, KeyType string, MaxExpirationSeconds *int32,
  CredentialBundlePath string, KeyPath string, CertificateChainPath string, UserAnnotations
  map[string]string
PodDNSConfig: Nameservers []string, Searches []string, Options []PodDNSConfigOption
PodDNSConfigOption: Name string, Value *string
PodOS: Name OSName
PodReadinessGate: ConditionType PodConditionType
PodResourceClaim: Name string, ResourceClaimName *string, ResourceClaimTemplateName *string
PodSchedulingGate: Name string
PodSchedulingGroup: PodGroupName *string
PodSecurityContext: SELinuxOptions=seLinuxOptions *SELinuxOptions, WindowsOptions
  *WindowsSecurityContextOptions, RunAsUser *int64, RunAsGroup *int64, RunAsNonRoot *bool,
  SupplementalGroups []int64, SupplementalGroupsPolicy *SupplementalGroupsPolicy, FSGroup=fsGroup *int64,
  Sysctls []Sysctl, FSGroupChangePolicy=fsGroupChangePolicy *PodFSGroupChangePolicy, SeccompProfile
  *SeccompProfile, AppArmorProfile *AppArmorProfile, SELinuxChangePolicy=seLinuxChangePolicy
  *PodSELinuxChangePolicy
PodSpec: Volumes []Volume, InitContainers []Container, Containers []Container, EphemeralContainers
  []EphemeralContainer, RestartPolicy RestartPolicy, TerminationGracePeriodSeconds *int64,
  ActiveDeadlineSeconds *int64, DNSPolicy=dnsPolicy DNSPolicy, NodeSelector map[string]string,
  ServiceAccountName string, DeprecatedServiceAccount=serviceAccount string, AutomountServiceAccountToken
  *bool, NodeName string, HostNetwork bool, HostPID bool, HostIPC bool, ShareProcessNamespace *bool,
  SecurityContext *PodSecurityContext, ImagePullSecrets []LocalObjectReference, Hostname string, Subdomain
  string, Affinity *Affinity, SchedulerName string, Tolerations []Toleration, HostAliases []HostAlias,
  PriorityClassName string, Priority *int32, DNSConfig=dnsConfig *PodDNSConfig, ReadinessGates
  []PodReadinessGate, RuntimeClassName *string, EnableServiceLinks *bool, PreemptionPolicy
  *PreemptionPolicy, Overhead ResourceList, TopologySpreadConstraints []TopologySpreadConstraint,
  SetHostnameAsFQDN *bool, OS=os *PodOS, HostUsers *bool, SchedulingGates []PodSchedulingGate,
  ResourceClaims []PodResourceClaim, Resources *ResourceRequirements, HostnameOverride *string,
  SchedulingGroup *PodSchedulingGroup
PodTemplateSpec: ObjectMeta=metadata ObjectMeta, Spec PodSpec
PortworxVolumeSource: VolumeID string, FSType=fsType string, ReadOnly bool
PreferredSchedulingTerm: Weight int32, Preference NodeSelectorTerm
Probe: +ProbeHandler, InitialDelaySeconds int32, TimeoutSeconds int32, PeriodSeconds int32, SuccessThreshold
  int32, FailureThreshold int32, TerminationGracePeriodSeconds *int64
ProbeHandler: Exec *ExecAction, HTTPGet=httpGet *HTTPGetAction, TCPSocket=tcpSocket *TCPSocketAction,
  GRPC=grpc *GRPCAction
ProjectedVolumeSource: Sources []VolumeProjection, DefaultMode *int32
QuobyteVolumeSource: Registry string, Volume string, ReadOnly bool, User string, Group string, Tenant string
RBDVolumeSource: CephMonitors=monitors []string, RBDImage=image string, FSType=fsType string, RBDPool=pool
  string, RadosUser=user string, Keyring string, SecretRef *LocalObjectReference, ReadOnly bool
ResourceClaim: Name string, Request string
ResourceFieldSelector: ContainerName string, Resource string, Divisor Quantity
ResourceRequirements: Limits ResourceList, Requests ResourceList, Claims []ResourceClaim
SELinuxOptions: User string, Role string, Type string, Level string
ScaleIOVolumeSource: Gateway string, System string, SecretRef *LocalObjectReference, SSLEnabled=sslEnabled
  bool, ProtectionDomain string, StoragePool string, StorageMode string, VolumeName string, FSType=fsType
  string, ReadOnly bool
SeccompProfile: Type SeccompProfileType, LocalhostProfile *string
SecretEnvSource: +LocalObjectReference, Optional *bool
SecretKeySelector: +LocalObjectReference, Key string, Optional *bool
SecretProjection: +LocalObjectReference, Items []KeyToPath, Optional *bool
SecretVolumeSource: SecretName string, Items []KeyToPath, DefaultMode *int32, Optional *bool
SecurityContext: Capabilities *Capabilities, Privileged *bool, SELinuxOptions=seLinuxOptions
  *SELinuxOptions, WindowsOptions *WindowsSecurityContextOptions, RunAsUser *int64, RunAsGroup *int64,
  RunAsNonRoot *bool, ReadOnlyRootFilesystem *bool, AllowPrivilegeEscalation *bool, ProcMount
  *ProcMountType, SeccompProfile *SeccompProfile, AppArmorProfile *AppArmorProfile
ServiceAccountTokenProjection: Audience string, ExpirationSeconds *int64, Path string
SleepAction: Seconds int64
StorageOSVolumeSource: VolumeName string, VolumeNamespace string, FSType=fsType string, ReadOnly bool,
  SecretRef *LocalObjectReference
Sysctl: Name string, Value string
TCPSocketAction: Port IntOrString, Host string
Toleration: Key string, Operator TolerationOperator, Value string, Effect TaintEffect, TolerationSeconds
  *int64
TopologySpreadConstraint: MaxSkew int32, TopologyKey string, WhenUnsatisfiable
  UnsatisfiableConstraintAction, LabelSelector *LabelSelector, MinDomains *int32, NodeAffinityPolicy
  *NodeInclusionPolicy, NodeTaintsPolicy *NodeInclusionPolicy, MatchLabelKeys []string
TypedLocalObjectReference: APIGroup=apiGroup *string, Kind string, Name string
TypedObjectReference: APIGroup=apiGroup *string, Kind string, Name string, Namespace *string
Volume: Name string, +VolumeSource
VolumeDevice: Name string, DevicePath string
VolumeMount: Name string, ReadOnly bool, RecursiveReadOnly *RecursiveReadOnlyMode, MountPath string, SubPath
  string, MountPropagation *MountPropagationMode, SubPathExpr string
VolumeProjection: Secret *SecretProjection, DownwardAPI *DownwardAPIProjection, ConfigMap
  *ConfigMapProjection, ServiceAccountToken *ServiceAccountTokenProjection, ClusterTrustBundle
  *ClusterTrustBundleProjection, PodCertificate *PodCertificateProjection
VolumeResourceRequirements: Limits ResourceList, Requests ResourceList
VolumeSource: HostPath *HostPathVolumeSource, EmptyDir *EmptyDirVolumeSource,
  GCEPersistentDisk=gcePersistentDisk *GCEPersistentDiskVolumeSource,
  AWSElasticBlockStore=awsElasticBlockStore *AWSElasticBlockStoreVolumeSource, GitRepo *GitRepoVolumeSource,
  Secret *SecretVolumeSource, NFS=nfs *NFSVolumeSource, ISCSI=iscsi *ISCSIVolumeSource, Glusterfs
  *GlusterfsVolumeSource, PersistentVolumeClaim *PersistentVolumeClaimVolumeSource, RBD=rbd
  *RBDVolumeSource, FlexVolume *FlexVolumeSource, Cinder *CinderVolumeSource, CephFS=cephfs
  *CephFSVolumeSource, Flocker *FlockerVolumeSource, DownwardAPI *DownwardAPIVolumeSource, FC=fc
  *FCVolumeSource, AzureFile *AzureFileVolumeSource, ConfigMap *ConfigMapVolumeSource, VsphereVolume
  *VsphereVirtualDiskVolumeSource, Quobyte *QuobyteVolumeSource, AzureDisk *AzureDiskVolumeSource,
  PhotonPersistentDisk *PhotonPersistentDiskVolumeSource, Projected *ProjectedVolumeSource, PortworxVolume
  *PortworxVolumeSource, ScaleIO *ScaleIOVolumeSource, StorageOS=storageos *StorageOSVolumeSource, CSI=csi
  *CSIVolumeSource, Ephemeral *EphemeralVolumeSource, Image *ImageVolumeSource
VsphereVirtualDiskVolumeSource: VolumePath string, FSType=fsType string, StoragePolicyName string,
  StoragePolicyID string
WeightedPodAffinityTerm: Weight int32, PodAffinityTerm PodAffinityTerm
WindowsSecurityContextOptions: GMSACredentialSpecName=gmsaCredentialSpecName *string,
  GMSACredentialSpec=gmsaCredentialSpec *string, RunAsUserName *string, HostProcess *bool
`

/** The fields of the structs of a PodTemplateSpec by the name of the struct, in the order of Go. */
export const goStructs: ReadonlyMap<string, readonly GoField[]> = new Map(
  table
    .trim()
    .split(/\n(?! )/)
    .map((line) => {
      const [name = '', fields = ''] = line.split(': ')
      return [name, fields.split(/,\s+/).map(goField)]
    }),
)

function goField(text: string): GoField {
  if (text.startsWith('+')) return { name: text.slice(1), json: undefined, type: text.slice(1) }
  const [names = '', type = ''] = text.split(/\s+/)
  const [name = '', json = name.charAt(0).toLowerCase() + name.slice(1)] = names.split('=')
  return { name, json, type }
}
