import {
  podHostname,
  podHosts,
  podResolvConf,
  resolvConf,
  type NamesAround,
} from '../cluster/dns/podFiles.js'
import { isEchoContainer } from '../cluster/echoPorts.js'
import { containerEnv } from '../cluster/podEnv.js'
import { podVolumes, volumeMounts, type ConfigMapData, type PodVolume } from '../cluster/podVolumes.js'
import type { Cluster, Container, Pod } from '../cluster/types.js'
import type { CommandContainer } from '../topology/planContainers.js'
import { planGonePlaceFiles, planPlaceFiles, type PlaceFiles } from '../topology/planPlaceFiles.js'
import type { Place, SandboxFile, Stage } from '../topology/types.js'
import { podPlaces } from './podPlaces.js'

/** A pod and where it is. */
interface PlacedPod {
  readonly pod: Pod
  readonly place: Place
}

/**
 * What pods see of their own: those with commands have a root, with their volumes; where the cluster has a DNS, all have
 * an /etc with its address, and nodes and clients one with the server outside.
 */
export function planFiles(
  cluster: Cluster,
  places: readonly Place[],
  around: NamesAround | undefined,
): Stage {
  const pods = podPlaces(cluster, places)
  const configMaps = configMapsOf(cluster)
  const stage = planPlaceFiles([
    ...pods.flatMap((placed) => podFiles(placed, around, configMaps)),
    ...(around === undefined || around.outside.length === 0 ? [] : places.filter(isHost)).map((place) => ({
      key: place.netns,
      hostname: place.name,
      etc: { 'resolv.conf': resolvConf(around?.outside ?? []), hostname: `${place.name}\n` },
    })),
  ])
  return { ...stage, files: [...pods.flatMap((placed) => volumeFiles(placed, configMaps)), ...stage.files] }
}

/** Takes away what pods at these places had of their own. */
export function planGoneFiles(places: readonly Place[]): Stage {
  return planGonePlaceFiles(places.map(placeKeyOf))
}

/** The containers with a command in the pods among these places. */
export function commandContainers(cluster: Cluster, places: readonly Place[]): CommandContainer[] {
  const configMaps = configMapsOf(cluster)
  return podPlaces(cluster, places).flatMap(({ pod, place }) =>
    withCommand(pod).map((container, index) => ({
      place,
      container,
      files: keyOf(place, container, index),
      env: containerEnv(pod, container, configMaps).env,
    })),
  )
}

/** What the containers of a cluster need of ConfigMaps and do not find, a line each: kubelet would not start them. */
export function missingForContainers(cluster: Cluster): string[] {
  const configMaps = configMapsOf(cluster)
  const lines = cluster.pods.flatMap((pod) =>
    withCommand(pod).length === 0
      ? []
      : [
          ...podVolumes(pod, configMaps).missing,
          ...withCommand(pod).flatMap((container) => containerEnv(pod, container, configMaps).missing),
        ].map(({ message }) => `pod ${pod.metadata.namespace ?? 'default'}/${pod.metadata.name}: ${message}`),
  )
  return [...new Set(lines)]
}

function podFiles(
  { pod, place }: PlacedPod,
  around: NamesAround | undefined,
  configMaps: readonly ConfigMapData[],
): PlaceFiles[] {
  const hostname = pod.spec.hostNetwork === true ? (place.node ?? '') : podHostname(pod)
  const etc = {
    hosts: podHosts(pod),
    hostname: `${hostname}\n`,
    ...(around === undefined ? {} : { 'resolv.conf': podResolvConf(pod, around) }),
  }
  const containers = withCommand(pod)
  if (containers.length === 0)
    return around === undefined || pod.spec.hostNetwork === true ? [] : [{ key: place.netns, hostname, etc }]
  const { volumes } = podVolumes(pod, configMaps)
  return containers.map((container, index) => ({
    key: keyOf(place, container, index),
    hostname,
    etc,
    root: rootOf(place, container, volumes),
  }))
}

function rootOf(place: Place, container: Container, volumes: readonly PodVolume[]): PlaceFiles['root'] {
  const folder = (volume: string) => `${volumesFolder(place)}/${volume}`
  return {
    modes: volumes.flatMap(({ name, files }) =>
      files.map(({ path, mode }) => ({ path: `${folder(name)}/${path}`, mode })),
    ),
    mounts: volumeMounts(container, volumes).map(({ volume, subPath, target, readOnly }) => ({
      source: subPath === '' ? folder(volume) : `${folder(volume)}/${subPath}`,
      target,
      readOnly,
    })),
  }
}

function volumeFiles({ pod, place }: PlacedPod, configMaps: readonly ConfigMapData[]): SandboxFile[] {
  if (withCommand(pod).length === 0) return []
  return podVolumes(pod, configMaps).volumes.flatMap(({ name, files }) =>
    files.map(({ path, text }) => ({ path: `${volumesFolder(place)}/${name}/${path}`, text })),
  )
}

function volumesFolder(place: Place): string {
  return `/run/vethlab/volumes/${place.netns}_${place.namespace ?? 'default'}_${place.name}`
}

/** The first container is what `exec` enters. */
function keyOf(place: Place, { name }: Container, index: number): string {
  return index === 0 ? placeKeyOf(place) : `${placeKeyOf(place)}+${name}`
}

/** hostNetwork pods share their node's namespace. */
function placeKeyOf(place: Place): string {
  return place.netns === place.node
    ? `${place.netns}_${place.namespace ?? 'default'}_${place.name}`
    : place.netns
}

function withCommand(pod: Pod): Container[] {
  return pod.spec.containers.filter((container) => !isEchoContainer(container))
}

function isHost({ kind }: Place): boolean {
  return kind !== 'pod'
}

function configMapsOf(
  cluster: Cluster & { readonly configMaps?: readonly ConfigMapData[] },
): readonly ConfigMapData[] {
  return cluster.configMaps ?? []
}
