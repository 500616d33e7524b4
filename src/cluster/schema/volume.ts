import {
  anyObject,
  anyObjects,
  bool,
  embedding,
  int32,
  int64,
  list,
  pointer,
  quantity,
  string,
  stringType,
  struct,
} from './field.js'
import type { Schema } from './field.js'

const keyToPath = struct('KeyToPath', { key: string, path: string, mode: pointer(int32) }, ['key', 'path'])

/** ObjectFieldSelector of core/v1. */
export const fieldRef = struct('ObjectFieldSelector', { apiVersion: string, fieldPath: string }, [
  'fieldPath',
])

/** ResourceFieldSelector of core/v1. */
export const resourceFieldRef = struct(
  'ResourceFieldSelector',
  { containerName: string, resource: string, divisor: quantity },
  ['resource'],
)

const downwardItems = list(
  struct('DownwardAPIVolumeFile', { path: string, fieldRef, resourceFieldRef, mode: pointer(int32) }, [
    'path',
  ]),
)

const named: Record<string, Schema> = { name: string, items: list(keyToPath), optional: pointer(bool) }

/** A struct that has its name from the embedded LocalObjectReference. */
const namedStruct = (type: string, fields: Record<string, Schema>, always: readonly string[] = []): Schema =>
  embedding(struct(type, fields, always), 'LocalObjectReference', ['name'])

const projection = struct('VolumeProjection', {
  configMap: namedStruct('ConfigMapProjection', named),
  secret: namedStruct('SecretProjection', named),
  downwardAPI: struct('DownwardAPIProjection', { items: downwardItems }),
  serviceAccountToken: struct(
    'ServiceAccountTokenProjection',
    { audience: string, expirationSeconds: pointer(int64), path: string },
    ['path'],
  ),
  ...anyObjects({
    clusterTrustBundle: 'ClusterTrustBundleProjection',
    podCertificate: 'PodCertificateProjection',
  }),
})

/** In the order in which the API server looks at them; the fields of hosts and clouds are not checked. */
const sources: Record<string, Schema> = {
  emptyDir: struct('EmptyDirVolumeSource', {
    medium: stringType('StorageMedium'),
    sizeLimit: pointer(quantity),
  }),
  hostPath: struct('HostPathVolumeSource', { path: string, type: pointer(stringType('HostPathType')) }, [
    'path',
  ]),
  ...anyObjects({
    gitRepo: 'GitRepoVolumeSource',
    gcePersistentDisk: 'GCEPersistentDiskVolumeSource',
    awsElasticBlockStore: 'AWSElasticBlockStoreVolumeSource',
  }),
  secret: struct('SecretVolumeSource', {
    secretName: string,
    items: list(keyToPath),
    optional: pointer(bool),
    defaultMode: pointer(int32),
  }),
  ...anyObjects({
    nfs: 'NFSVolumeSource',
    iscsi: 'ISCSIVolumeSource',
    glusterfs: 'GlusterfsVolumeSource',
    flocker: 'FlockerVolumeSource',
  }),
  persistentVolumeClaim: struct('PersistentVolumeClaimVolumeSource', { claimName: string, readOnly: bool }, [
    'claimName',
  ]),
  ...anyObjects({
    rbd: 'RBDVolumeSource',
    cinder: 'CinderVolumeSource',
    cephfs: 'CephFSVolumeSource',
    quobyte: 'QuobyteVolumeSource',
  }),
  downwardAPI: struct('DownwardAPIVolumeSource', { items: downwardItems, defaultMode: pointer(int32) }),
  ...anyObjects({
    fc: 'FCVolumeSource',
    flexVolume: 'FlexVolumeSource',
  }),
  configMap: namedStruct('ConfigMapVolumeSource', { ...named, defaultMode: pointer(int32) }),
  ...anyObjects({
    azureFile: 'AzureFileVolumeSource',
    vsphereVolume: 'VsphereVirtualDiskVolumeSource',
    photonPersistentDisk: 'PhotonPersistentDiskVolumeSource',
    portworxVolume: 'PortworxVolumeSource',
    azureDisk: 'AzureDiskVolumeSource',
    storageos: 'StorageOSVolumeSource',
  }),
  projected: struct('ProjectedVolumeSource', { sources: list(projection), defaultMode: pointer(int32) }, [
    'sources',
  ]),
  ...anyObjects({
    scaleIO: 'ScaleIOVolumeSource',
    csi: 'CSIVolumeSource',
    ephemeral: 'EphemeralVolumeSource',
    image: 'ImageVolumeSource',
  }),
}

/** The fields that define the source of a volume. */
export const volumeSources: readonly string[] = Object.keys(sources)

/** Volume of core/v1. */
export const volume = embedding(
  struct('Volume', { name: string, ...sources }, ['name']),
  'VolumeSource',
  volumeSources,
)

/** VolumeMount of core/v1. */
export const volumeMount = struct(
  'VolumeMount',
  {
    name: string,
    readOnly: bool,
    recursiveReadOnly: pointer(stringType('RecursiveReadOnlyMode')),
    mountPath: string,
    subPath: string,
    subPathExpr: string,
    mountPropagation: pointer(stringType('MountPropagationMode')),
  },
  ['name', 'mountPath'],
)

/** VolumeDevice of core/v1. */
export const volumeDevice = struct('VolumeDevice', { name: string, devicePath: string }, [
  'name',
  'devicePath',
])

const keySelector = (name: string): Schema =>
  namedStruct(name, { name: string, key: string, optional: pointer(bool) }, ['key'])
const nameReference = (name: string): Schema => namedStruct(name, { name: string, optional: pointer(bool) })

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
