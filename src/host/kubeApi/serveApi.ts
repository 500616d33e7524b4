import { createInterface } from 'node:readline'
import { notReached } from '../../apiserver/proxy/proxyTarget.js'
import { findResource } from '../../apiserver/resources.js'
import { createStore, type Store } from '../../apiserver/store.js'
import type { Writer, WriteResult } from '../../apiserver/write/writer.js'
import type { Node } from '../../cluster/types.js'
import {
  apiListens,
  type ApiAccess,
  type ApiContainers,
  type ApiObjects,
  type ApiResult,
  type ApiStart,
  type ApiWrite,
} from '../kubeProxy/apiOrder.js'
import { logFolder } from '../../topology/planContainers.js'
import { dialFrom } from './pods/dial.js'
import { accessTo } from './pods/labContainers.js'
import { logTimes, watchLogs, type LogTimes } from './pods/logTimes.js'
import { securePortOf } from './securePort.js'
import { startApiServer } from './server.js'

/**
 * Serves the objects of each line on standard input, until that ends. Writes are sent as lines on standard output, and
 * their results are read from standard input.
 */
export async function serveApi(address: { readonly host: string; readonly port: number }): Promise<void> {
  let store: Store | undefined
  let state = 0
  let entered = accessTo([])
  const waiting = new Map<number, (result: WriteResult) => void>()
  const send = (line: string) => void process.stdout.write(`${line}\n`)
  let lastId = 0
  const writerOf = ({ token }: ApiAccess): Writer => ({
    token,
    write: (write) =>
      new Promise((resolve) => {
        const id = ++lastId
        waiting.set(id, resolve)
        send(JSON.stringify({ id, state, write } satisfies ApiWrite))
      }),
  })
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const order = JSON.parse(line) as ApiStart | ApiObjects | ApiContainers | ApiResult
    if ('containers' in order) {
      entered = accessTo(order.containers)
      continue
    }
    if ('result' in order) {
      waiting.get(order.id)?.(order.result)
      waiting.delete(order.id)
      continue
    }
    state = order.state
    if (store !== undefined) {
      store.replace(order.objects)
      continue
    }
    const { objects, builtIn, access } = order as ApiStart
    store = createStore(objects, { builtIn })
    const writer = access && writerOf(access)
    const shown = store
    const containers = {
      pods: (pod: string) => entered(pod),
      dial: access && ((address: string, port: number) => dialFrom(nodeOf(shown), address, port)),
      logTimes: access && watchedLogs(),
    }
    await startApiServer(store, { ...address, ...containers, writer, anonymous: 'kube-proxy' })
    // Clients of Kubernetes send no token over plain HTTP: that server is for kube-proxy.
    if (access !== undefined)
      await startApiServer(store, {
        ...{ ...address, ...containers, port: securePortOf(address.port) },
        ...{ writer, tls: access },
      })
    send(apiListens)
  }
}

/**
 * The node from which pods are reached: the first one that is ready. The API server is outside the nodes of a lab, where
 * nothing routes to pods; in a cluster it is on a node, or has an agent there.
 */
function nodeOf(store: Store): string {
  const resource = findResource('', 'v1', 'nodes')
  const nodes = (resource === undefined ? [] : store.list(resource)) as readonly Node[]
  const isReady = ({ status }: Node) =>
    status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true
  const node = nodes.find(isReady) ?? nodes[0]
  if (node === undefined) throw notReached('the lab has no node')
  return node.metadata.name
}

/** Undefined when the host lets no more folders be watched (inotify(7)). */
function watchedLogs(): LogTimes | undefined {
  const times = logTimes()
  try {
    watchLogs(logFolder, times)
    return times
  } catch {
    return undefined
  }
}
