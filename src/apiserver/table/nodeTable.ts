import type { Node } from '../../cluster/types.js'
import { ageColumn, column, nameColumn, wideColumn, type Column } from './column.js'

/** A node with the fields of its status that the cluster types leave out. */
type PrintedNode = Node & {
  status?: {
    conditions?: { type: string; status: string }[]
    nodeInfo?: Partial<
      Record<'kubeletVersion' | 'osImage' | 'kernelVersion' | 'containerRuntimeVersion', string>
    >
  }
}

/** Columns of `kubectl get nodes`; cells as printNode of Kubernetes v1.36 writes them. */
export const nodeColumns: readonly Column<PrintedNode>[] = [
  nameColumn,
  column('Status', 'whether the node is ready and takes pods', statusText),
  column('Roles', 'roles from the labels of the node', roles),
  ageColumn,
  column('Version', 'version of the kubelet', ({ status }) => status?.nodeInfo?.kubeletVersion ?? ''),
  wideColumn('Internal-IP', 'address inside the cluster', (node) => address(node, 'InternalIP')),
  wideColumn('External-IP', 'address for the outside', (node) => address(node, 'ExternalIP')),
  wideColumn('OS-Image', 'operating system', ({ status }) => status?.nodeInfo?.osImage || '<unknown>'),
  wideColumn(
    'Kernel-Version',
    'version of the kernel',
    ({ status }) => status?.nodeInfo?.kernelVersion || '<unknown>',
  ),
  wideColumn(
    'Container-Runtime',
    'version of the container runtime',
    ({ status }) => status?.nodeInfo?.containerRuntimeVersion || '<unknown>',
  ),
]

function statusText({ spec, status }: PrintedNode): string {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  const text = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
  return spec?.unschedulable === true ? `${text},SchedulingDisabled` : text
}

function roles({ metadata }: PrintedNode): string {
  const prefix = 'node-role.kubernetes.io/'
  const found = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(prefix) && key !== prefix) return [key.slice(prefix.length)]
    return key === 'kubernetes.io/role' && value !== '' ? [value] : []
  })
  return [...new Set(found)].sort().join(',') || '<none>'
}

function address({ status }: PrintedNode, wanted: 'InternalIP' | 'ExternalIP'): string {
  return status?.addresses?.find(({ type }) => type === wanted)?.address ?? '<none>'
}
