import { isRecord, records, text } from '../manifests/loose.js'
import type { Path } from '../validation/fieldErrors.js'
import { fractionWarnings } from './fractions.js'
import { warning, type Warning } from './warning.js'

type Fields = Readonly<Record<string, unknown>>

/** Sources of volumes that no longer work, in the order in which the API server looks at them. */
const oldSources: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
}

/** Warnings about the volumes of a pod. */
export function volumeWarnings(path: Path, volumes: readonly Fields[]): Warning[] {
  return [
    ...volumes.flatMap((volume, index) => [
      ...Object.entries(oldSources).flatMap(([source, detail]) =>
        volume[source] === undefined ? [] : [warning([...path, index, source], detail)],
      ),
      ...claimWarnings([...path, index, 'ephemeral', 'volumeClaimTemplate', 'spec'], volume['ephemeral']),
    ]),
    ...volumes.flatMap((volume, index) => overlapWarnings([...path, index], volume)),
  ]
}

function claimWarnings(path: Path, ephemeral: unknown): Warning[] {
  const template = isRecord(ephemeral) ? ephemeral['volumeClaimTemplate'] : undefined
  const spec = isRecord(template) ? template['spec'] : undefined
  const resources = isRecord(spec) ? spec['resources'] : undefined
  return ['requests', 'limits'].flatMap((side) =>
    fractionWarnings([...path, 'resources'], resources, side, ['storage']),
  )
}

/** A file of a volume, and what it is from if the volume has several sources. */
interface Place {
  readonly path: string
  readonly source: string
}

/** Files of a volume of which one replaces the other, or is a folder of it. */
function overlapWarnings(path: Path, volume: Fields): Warning[] {
  const name = text(volume['name'])
  const about = (what: string, places: readonly Place[]): Warning[] =>
    overlaps(places).map((pair) => ({
      path,
      message: `volume ${JSON.stringify(name)} (${what}): overlapping paths: ${pair}`,
    }))
  const { configMap, secret, downwardAPI, projected } = volume
  return [
    ...about(`ConfigMap ${quoted(configMap, 'name')}`, itemsOf(configMap, '')),
    ...about(`Secret ${quoted(secret, 'secretName')}`, itemsOf(secret, '')),
    ...about('DownwardAPI', itemsOf(downwardAPI, '')),
    ...(isRecord(projected)
      ? [
          ...records(projected['sources'])
            .filter((source) => Object.keys(source).length === 0)
            .map(() => ({
              path,
              message: `volume ${JSON.stringify(name)} (Projected) has no sources provided`,
            })),
          ...about('Projected', records(projected['sources']).flatMap(placesOf)),
        ]
      : []),
  ]
}

function placesOf({
  configMap,
  secret,
  downwardAPI,
  serviceAccountToken,
  clusterTrustBundle,
  podCertificate,
}: Fields): Place[] {
  const at = (owner: unknown, field: string, source: string): Place[] =>
    isRecord(owner) && text(owner[field]) !== '' ? [{ path: text(owner[field]), source }] : []
  if (configMap !== undefined) return itemsOf(configMap, `ConfigMap ${quoted(configMap, 'name')}`)
  if (secret !== undefined) return itemsOf(secret, `Secret ${quoted(secret, 'name')}`)
  if (downwardAPI !== undefined) return itemsOf(downwardAPI, 'DownwardAPI')
  if (serviceAccountToken !== undefined) return at(serviceAccountToken, 'path', 'ServiceAccountToken')
  if (isRecord(clusterTrustBundle)) {
    const field = clusterTrustBundle['name'] === undefined ? 'signerName' : 'name'
    return at(clusterTrustBundle, 'path', `ClusterTrustBundle ${quoted(clusterTrustBundle, field)}`)
  }
  return [
    ...at(podCertificate, 'certificateChainPath', 'PodCertificate chain'),
    ...at(podCertificate, 'keyPath', 'PodCertificate key'),
    ...at(podCertificate, 'credentialBundlePath', 'PodCertificate credential bundle'),
  ]
}

function itemsOf(source: unknown, from: string): Place[] {
  return isRecord(source)
    ? records(source['items']).map(({ path }) => ({ path: text(path), source: from }))
    : []
}

function quoted(source: unknown, field: string): string {
  return JSON.stringify(isRecord(source) ? text(source[field]) : '')
}

function overlaps(places: readonly Place[]): string[] {
  const plain = places.map(({ path, source }) => ({ path: path.replace(/\/+$/, ''), source }))
  return plain.flatMap((one, index) =>
    plain
      .slice(0, index)
      .filter((other) => one.path !== '' && other.path !== '' && (isBelow(one, other) || isBelow(other, one)))
      .map((other) => `${placeText(one)} with ${placeText(other)}`),
  )
}

function isBelow({ path }: Place, folder: Place): boolean {
  return `${path}/`.startsWith(`${folder.path}/`)
}

function placeText({ path, source }: Place): string {
  return source === '' ? JSON.stringify(path) : `${JSON.stringify(path)} (${source})`
}
