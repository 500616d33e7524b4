import {
  anyObject,
  anyObjects,
  anything,
  bool,
  int32,
  int64,
  list,
  string,
  stringType,
  struct,
} from './field.js'
import type { Schema } from './field.js'

const keyToPath = struct('KeyToPath', { key: string, path: string, mode: int32 }, ['key', 'path'])

/** ObjectFieldSelector of core/v1. */
export const fieldRef = struct('ObjectFieldSelector', { apiVersion: string, fieldPath: string }, [
  'fieldPath',
])

/** ResourceFieldSelector of core/v1. */
export const resourceFieldRef = struct(
  'ResourceFieldSelector',
  { containerName: string, resource: string, divisor: anything },
  ['resource'],
)

const downwardItems = list(
  struct('DownwardAPIVolumeFile', { path: string, fieldRef, resourceFieldRef, mode: int32 }, ['path']),
)

const named: Record<string, Schema> = { name: string, items: list(keyToPath), optional: bool }

const projection = struct('VolumeProjection', {
  configMap: struct('ConfigMapProjection', named),
  secret: struct('SecretProjection', named),
  downwardAPI: struct('DownwardAPIProjection', { items: downwardItems }),
  serviceAccountToken: struct(
    'ServiceAccountTokenProjection',
    { audience: string, expirationSeconds: int64, path: string },
    ['path'],
  ),
  ...anyObjects({
    clusterTrustBundle: 'ClusterTrustBundleProjection',
    podCertificate: 'PodCertificateProjection',
  }),
})

/** Volumes of hosts and clouds: their fields are not checked. */
const storageKinds = {
  awsElasticBlockStore: 'AWSElasticBlockStoreVolumeSource',
  azureDisk: 'AzureDiskVolumeSource',
  azureFile: 'AzureFileVolumeSource',
  cephfs: 'CephFSVolumeSource',
  cinder: 'CinderVolumeSource',
  csi: 'CSIVolumeSource',
  ephemeral: 'EphemeralVolumeSource',
  fc: 'FCVolumeSource',
  flexVolume: 'FlexVolumeSource',
  flocker: 'FlockerVolumeSource',
  gcePersistentDisk: 'GCEPersistentDiskVolumeSource',
  gitRepo: 'GitRepoVolumeSource',
  glusterfs: 'GlusterfsVolumeSource',
  image: 'ImageVolumeSource',
  iscsi: 'ISCSIVolumeSource',
  nfs: 'NFSVolumeSource',
  photonPersistentDisk: 'PhotonPersistentDiskVolumeSource',
  portworxVolume: 'PortworxVolumeSource',
  quobyte: 'QuobyteVolumeSource',
  rbd: 'RBDVolumeSource',
  scaleIO: 'ScaleIOVolumeSource',
  storageos: 'StorageOSVolumeSource',
  vsphereVolume: 'VsphereVirtualDiskVolumeSource',
}

const sources: Record<string, Schema> = {
  configMap: struct('ConfigMapVolumeSource', { ...named, defaultMode: int32 }),
  secret: struct('SecretVolumeSource', {
    secretName: string,
    items: list(keyToPath),
    optional: bool,
    defaultMode: int32,
  }),
  projected: struct('ProjectedVolumeSource', { sources: list(projection), defaultMode: int32 }),
  downwardAPI: struct('DownwardAPIVolumeSource', { items: downwardItems, defaultMode: int32 }),
  emptyDir: struct('EmptyDirVolumeSource', { medium: stringType('StorageMedium'), sizeLimit: anything }),
  hostPath: struct('HostPathVolumeSource', { path: string, type: stringType('HostPathType') }, ['path']),
  persistentVolumeClaim: struct('PersistentVolumeClaimVolumeSource', { claimName: string, readOnly: bool }, [
    'claimName',
  ]),
  ...anyObjects(storageKinds),
}

/** The fields that define the source of a volume. */
export const volumeSources: readonly string[] = Object.keys(sources)

/** Volume of core/v1. */
export const volume = struct('Volume', { name: string, ...sources }, ['name'])

/** VolumeMount of core/v1. */
export const volumeMount = struct(
  'VolumeMount',
  {
    name: string,
    readOnly: bool,
    recursiveReadOnly: stringType('RecursiveReadOnlyMode'),
    mountPath: string,
    subPath: string,
    subPathExpr: string,
    mountPropagation: stringType('MountPropagationMode'),
  },
  ['name', 'mountPath'],
)

const keySelector = (name: string): Schema =>
  struct(name, { name: string, key: string, optional: bool }, ['key'])
const nameReference = (name: string): Schema => struct(name, { name: string, optional: bool })

/** EnvVarSource of core/v1. */
export const envVarSource = struct('EnvVarSource', {
  fieldRef,
  resourceFieldRef,
  configMapKeyRef: keySelector('ConfigMapKeySelector'),
  secretKeyRef: keySelector('SecretKeySelector'),
  fileKeyRef: anyObject('FileKeySelector'),
})

/** EnvFromSource of core/v1. */
export const envFromSource = struct('EnvFromSource', {
  prefix: string,
  configMapRef: nameReference('ConfigMapEnvSource'),
  secretRef: nameReference('SecretEnvSource'),
})
