import { defaultVersion, type MinorVersion } from './versions/version.js'

/**
 * Feature gates of Kubernetes 1.36 that can be set; mirrors test/compatibility_lifecycle/reference. A component knows the
 * gates of all components.
 */
const open = `
  AllAlpha AllBeta APIResponseCompression APIServerIdentity APIServingWithRoutine AllowDNSOnlyNodeCSR
  AllowInsecureKubeletCertificateSigningRequests AllowParsingUserUIDFromCertAuth AllowServiceExternalIPs
  AllowUnsafeMalformedObjectDeletion AtomicFIFO AuthorizePodWebsocketUpgradeCreatePermission CBORServingAndStorage
  CPUManagerPolicyAlphaOptions CPUManagerPolicyBetaOptions CRDObservedGenerationTracking CSIVolumeHealth
  ChangeContainerStatusOnKubeletRestart ClearingNominatedNodeNameAfterBinding ClientsAllowCBOR ClientsPreferCBOR
  CloudControllerManagerWatchBasedRoutesReconciliation CloudControllerManagerWebhook ClusterTrustBundle
  ClusterTrustBundleProjection ComponentFlagz ComponentStatusz ConcurrentWatchObjectDecode ConstrainedImpersonation
  ContainerCheckpoint ContainerRestartRules ContainerStopSignals ContextualLogging CoordinatedLeaderElection
  CrossNamespaceVolumeDataSource CustomCPUCFSQuotaPeriod DRAAdminAccess DRAConsumableCapacity
  DRADeviceBindingConditions DRADeviceTaintRules DRADeviceTaints DRAExtendedResource DRAPartitionableDevices
  DRAPrioritizedList DRAResourceClaimDeviceStatus DRASchedulerFilterTimeout DeclarativeValidation
  DeclarativeValidationTakeover DeploymentReplicaSetTerminatingReplicas DetectCacheInconsistency
  DisableCPUQuotaWithExclusiveCPUs DisableNodeKubeProxyVersion EnvFiles EventedPLEG ExternalServiceAccountTokenSigner
  GangScheduling GenericWorkload GitRepoVolumeDriver GracefulNodeShutdown GracefulNodeShutdownBasedOnPodPriority
  HPAConfigurableTolerance HPAScaleToZero HostnameOverride ImageVolume ImageVolumeWithDigest InOrderInformers
  InOrderInformersBatchProcess InPlacePodLevelResourcesVerticalScaling InPlacePodVerticalScalingAllocatedStatus
  InPlacePodVerticalScalingExclusiveCPUs InPlacePodVerticalScalingExclusiveMemory InformerResourceVersion KMSv1
  KubeletCrashLoopBackOffMax KubeletEnsureSecretPulledImages KubeletInUserNamespace KubeletPSI
  KubeletPodResourcesDynamicResources KubeletPodResourcesGet KubeletPodResourcesListUseActivePods
  KubeletRegistrationGetOnExistsOnly KubeletSeparateDiskGC KubeletServiceAccountTokenForCredentialProviders
  ListFromCacheSnapshot LocalStorageCapacityIsolationFSQuotaMonitoring LoggingAlphaOptions LoggingBetaOptions
  MatchLabelKeysInPodTopologySpread MatchLabelKeysInPodTopologySpreadSelectorMerge MaxUnavailableStatefulSet MemoryQoS
  MutableCSINodeAllocatableCount MutablePVNodeAffinity MutablePodResourcesForSuspendedJobs
  MutableSchedulingDirectivesForSuspendedJobs MutatingAdmissionPolicy NodeDeclaredFeatures NodeLogQuery
  NominatedNodeNameForExpectation OpenAPIEnums OpportunisticBatching PodAndContainerStatsFromCRI PodCertificateRequest
  PodDeletionCost PodLevelResources PodLogsQuerySplitStreams PodReadyToStartContainersCondition
  PodTopologyLabelsAdmission PortForwardWebsockets PreventStaticPodAPIReferences ProcMountType QOSReserved
  ReduceDefaultCrashLoopBackOffDecay RelaxedServiceNameValidation ReloadKubeletServerCertificateFile
  RemoteRequestHeaderUID ResourceHealthStatus ResourceHealthStatusMessage RestartAllContainersOnContainerExits
  RotateKubeletServerCertificate RuntimeClassInImageCriApi SELinuxChangePolicy SELinuxMount
  SELinuxMountReadWriteOncePod SchedulerAsyncAPICalls SchedulerAsyncPreemption SchedulerPopFromBackoffQ
  SeparateCacheWatchRPC ServiceAccountNodeAudienceRestriction SizeBasedListCostEstimate
  StatefulSetSemanticRevisionComparison StorageCapacityScoring StorageNamespaceIndex StorageVersionAPI
  StorageVersionHash StorageVersionMigrator StrictIPCIDRValidation
  StructuredAuthenticationConfigurationEgressSelector StructuredAuthenticationConfigurationJWKSMetrics
  TaintTolerationComparisonOperators TokenRequestServiceAccountUIDValidation TopologyManagerPolicyAlphaOptions
  TopologyManagerPolicyBetaOptions TranslateStreamCloseWebsocketRequests UnauthenticatedHTTP2DOSMitigation
  UnknownVersionInteroperabilityProxy UnlockWhileProcessingFIFO UserNamespacesHostNetworkSupport UserNamespacesSupport
  VolumeLimitScaling WatchCacheInitializationPostStartHook WatchList WatchListClient WindowsCPUAndMemoryAffinity
  WindowsGracefulNodeShutdown WindowsHostNetwork`

/** Gates that are locked to true. */
const locked = `
  APIServerTracing AggregatedDiscoveryRemoveBetaType AnonymousAuthConfigurableEndpoints AnyVolumeDataSource
  AuthorizeNodeWithSelectors AuthorizeWithSelectors BtreeWatchCache CPUManagerPolicyOptions CRDValidationRatcheting
  CSIServiceAccountTokenSecrets ConsistentListFromCache CustomResourceFieldSelectors DisableAllocatorDualWrite
  DynamicResourceAllocation ExecProbeTimeout HonorPVReclaimPolicy ImageMaximumGCAge InPlacePodVerticalScaling
  JobBackoffLimitPerIndex JobManagedBy JobPodReplacementPolicy JobSuccessPolicy KubeletCgroupDriverFromCRI
  KubeletFineGrainedAuthz KubeletTracing LogarithmicScaleDown MatchLabelKeysInPodAffinity MultiCIDRServiceAllocator
  NFTablesProxyMode NodeInclusionPolicyInPodTopologySpread NodeSwap OrderedNamespaceDeletion PodLifecycleSleepAction
  PodLifecycleSleepActionAllowZero PodObservedGenerationTracking PodSchedulingReadiness PreferSameTrafficDistribution
  RecoverVolumeExpansionFailure RecursiveReadOnlyMounts RelaxedDNSSearchValidation
  RelaxedEnvironmentVariableValidation ResilientWatchCacheInitialization RetryGenerateName SchedulerQueueingHints
  SeparateTaintEvictionController ServiceAccountTokenJTI ServiceAccountTokenNodeBinding
  ServiceAccountTokenNodeBindingValidation ServiceAccountTokenPodNodeInfo SidecarContainers
  StreamingCollectionEncodingToJSON StreamingCollectionEncodingToProtobuf StructuredAuthenticationConfiguration
  SupplementalGroupsPolicy SystemdWatchdog TopologyManagerPolicyOptions VolumeAttributesClass WinDSR WinOverlay`

/** All gates: with the value that a gate is locked to, or undefined. */
const featureGates: ReadonlyMap<string, boolean | undefined> = new Map<string, boolean | undefined>([
  ...names(open).map((name) => [name, undefined] as const),
  ...names(locked).map((name) => [name, true] as const),
  ['AllowOverwriteTerminationGracePeriodSeconds', false],
])

/** The gate of the proxy for node ports on localhost in mode nftables (1.37, pull request 138427). */
export const localhostProxyGate = 'KubeProxyNFTablesLocalhostNodePorts'

/**
 * The gates that a version knows, each with the value that it is locked to; undefined for a version whose gates are not
 * known. Of 1.37 the gates of kube-proxy that it adds are known, the others are those of 1.36.
 */
export function featureGatesOf(version: MinorVersion): ReadonlyMap<string, boolean | undefined> | undefined {
  if (version === defaultVersion) return featureGates
  if (version !== 37) return undefined
  const added = ['NFTablesNetlink', localhostProxyGate, 'KubeProxyIPVS']
  return new Map([...featureGates, ...added.map((name) => [name, undefined] as const)])
}

function names(text: string): string[] {
  return text.trim().split(/\s+/)
}
