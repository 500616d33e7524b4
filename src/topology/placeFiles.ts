import { isUtf8 } from 'node:buffer'
import { podHosts, podResolvConf, resolvConf, type NamesAround } from '../cluster/dns/podFiles.js'
import { containerCommand, isEchoContainer, type CommandData } from '../cluster/pods/containerCommand.js'
import { containerEnv } from '../cluster/pods/podEnv.js'
import { podVolumes, volumeMounts, type PodVolume } from '../cluster/pods/podVolumes.js'
import type { Cluster, Container, Pod } from '../cluster/types.js'
import type { CommandContainer } from './planContainers.js'
import { planGonePlaceFiles, planPlaceFiles, type PlaceFiles } from './planPlaceFiles.js'
import type { Place, SandboxFile, Stage } from './types.js'
import { podPlaces } from './followPods.js'

/** A pod and where it is. */
interface PlacedPod {
  readonly pod: Pod
  readonly place: Place
}

/**
 * The files of pods, nodes and clients: pods with commands have their own root with their volumes; if the cluster has a
 * DNS, all pods have an /etc with its address, and nodes and clients one with the DNS server outside.
 */
export function planFiles(
  cluster: Cluster,
  places: readonly Place[],
  around: NamesAround | undefined,
): Stage {
  const pods = podPlaces(cluster, places)
  const stage = planPlaceFiles([
    ...pods.flatMap((placed) => podFiles(placed, around, cluster)),
    ...(around === undefined || around.outside.length === 0 ? [] : places.filter(isHost)).map((place) => ({
      key: place.netns,
      hostname: place.hostname,
      etc: { 'resolv.conf': resolvConf(around?.outside ?? []), hostname: `${place.hostname}\n` },
    })),
  ])
  return { ...stage, files: [...pods.flatMap((placed) => volumeFiles(placed, cluster)), ...stage.files] }
}

/** Removes the volumes of pods at these places: an emptyDir is removed with its pod. */
export function planGoneFiles(places: readonly Place[]): Stage {
  const stage = planGonePlaceFiles(places.map(placeKeyOf))
  return {
    ...stage,
    commands: [...stage.commands, { argv: ['rm', '-rf', '{}'], each: places.map(volumesFolder) }],
  }
}

/** The containers with a command in the pods among these places. */
export function commandContainers(cluster: Cluster, places: readonly Place[]): CommandContainer[] {
  return podPlaces(cluster, places).flatMap(({ pod, place }) =>
    withCommand(pod, cluster).map((container, index) => ({
      place,
      container,
      argv: containerCommand(pod, container, cluster) ?? [],
      files: containerKey(place, container, index),
      env: containerEnv(pod, container, cluster).env,
    })),
  )
}

function podFiles(
  { pod, place }: PlacedPod,
  around: NamesAround | undefined,
  data: CommandData,
): PlaceFiles[] {
  const { hostname } = place
  const etc = {
    hosts: podHosts(pod),
    hostname: `${hostname}\n`,
    ...(around === undefined ? {} : { 'resolv.conf': podResolvConf(pod, around) }),
  }
  const containers = withCommand(pod, data)
  if (containers.length === 0)
    return around === undefined || pod.spec.hostNetwork === true ? [] : [{ key: place.netns, hostname, etc }]
  const { volumes } = podVolumes(pod, data)
  return containers.map((container, index) => ({
    key: containerKey(place, container, index),
    hostname,
    etc,
    root: rootOf(place, container, volumes, containerEnv(pod, container, data).env),
  }))
}

function rootOf(
  place: Place,
  container: Container,
  volumes: readonly PodVolume[],
  env: Readonly<Record<string, string>>,
): PlaceFiles['root'] {
  const folder = (name: string) => {
    const shared = volumes.find((volume) => volume.name === name)?.shared
    return shared === undefined ? `${volumesFolder(place)}/${name}` : `${sharedFolder}/${shared}`
  }
  return {
    modes: volumes.flatMap(({ name, files }) =>
      files.map(({ path, mode }) => ({ path: `${folder(name)}/${path}`, mode })),
    ),
    mounts: volumeMounts(container, volumes, env).map(({ volume, subPath, target, readOnly }) => ({
      source: subPath === '' ? folder(volume) : `${folder(volume)}/${subPath}`,
      target,
      readOnly,
    })),
  }
}

function volumeFiles({ pod, place }: PlacedPod, data: CommandData): SandboxFile[] {
  if (withCommand(pod, data).length === 0) return []
  return podVolumes(pod, data).volumes.flatMap(({ name, files }) =>
    files.map(({ path, content }) => ({
      path: `${volumesFolder(place)}/${name}/${path}`,
      ...(isUtf8(content)
        ? { text: content.toString() }
        : { text: content.toString('base64'), encoding: 'base64' as const }),
    })),
  )
}

/** Folders that outlive pods: claims of the lab, and what nodes share with their pods. */
const sharedFolder = '/run/vethlab/shared'

function volumesFolder(place: Place): string {
  return `/run/vethlab/volumes/${place.netns}_${place.namespace ?? 'default'}_${place.name}`
}

/** The first container is what `exec` enters. */
function containerKey(place: Place, { name }: Container, index: number): string {
  return index === 0 ? placeKeyOf(place) : `${placeKeyOf(place)}+${name}`
}

/** hostNetwork pods share their node's namespace. */
function placeKeyOf(place: Place): string {
  return place.netns === place.node
    ? `${place.netns}_${place.namespace ?? 'default'}_${place.name}`
    : place.netns
}

function withCommand(pod: Pod, data: CommandData): Container[] {
  return pod.spec.containers.filter((container) => !isEchoContainer(pod, container, data))
}

function isHost({ kind }: Place): boolean {
  return kind !== 'pod'
}
