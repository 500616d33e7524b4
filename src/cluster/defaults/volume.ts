import { isRecord, records } from '../manifests/loose.js'
import { filled, type Fields } from './filled.js'

/** 0644, the mode of files of ConfigMaps, Secrets and the downward API. */
const fileMode = { defaultMode: 0o644 }

/** Default fields of volume sources (SetDefaults_ConfigMapVolumeSource and its counterparts). */
const volumeDefaults: Readonly<Record<string, Fields>> = {
  configMap: fileMode,
  secret: fileMode,
  downwardAPI: fileMode,
  projected: fileMode,
  hostPath: { type: '' },
  rbd: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  iscsi: { iscsiInterface: 'default' },
  azureDisk: { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' },
  scaleIO: { storageMode: 'ThinProvisioned', fsType: 'xfs' },
}

const tokenDefaults = { expirationSeconds: 3600 }

/** Sets the defaults of a volume; a volume without a source is an emptyDir (SetDefaults_Volume). */
export function defaultVolume(volume: Fields): Fields {
  const sources = Object.entries(volume).flatMap(([name, source]) => {
    if (!isRecord(source)) return []
    return [[name, withReferences(filled(source, volumeDefaults[name] ?? {}))]]
  })
  return sources.length === 0
    ? { ...volume, emptyDir: {} }
    : { ...volume, ...(Object.fromEntries(sources) as Fields) }
}

function withReferences(source: Fields): Fields {
  const { items, sources } = source
  return {
    ...source,
    ...(items === undefined ? {} : { items: records(items).map(defaultReferences) }),
    ...(sources === undefined ? {} : { sources: records(sources).map(defaultProjection) }),
  }
}

function defaultProjection(projection: Fields): Fields {
  const { serviceAccountToken, downwardAPI } = projection
  return {
    ...projection,
    ...(isRecord(serviceAccountToken)
      ? { serviceAccountToken: filled(serviceAccountToken, tokenDefaults) }
      : {}),
    ...(isRecord(downwardAPI) ? { downwardAPI: withReferences(downwardAPI) } : {}),
  }
}

/** Sets the defaults of the references to fields of the pod. */
export function defaultReferences(holder: Fields): Fields {
  const { fieldRef, resourceFieldRef } = holder
  return {
    ...holder,
    ...(isRecord(fieldRef) ? { fieldRef: filled(fieldRef, { apiVersion: 'v1' }) } : {}),
    ...(isRecord(resourceFieldRef) ? { resourceFieldRef: filled(resourceFieldRef, { divisor: '0' }) } : {}),
  }
}
