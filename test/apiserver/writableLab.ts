import { clusterObjects } from '../../src/apiserver/clusterObjects.js'
import { createStore, type Store } from '../../src/apiserver/store.js'
import type { Writer } from '../../src/apiserver/write/writer.js'
import { reconcileLive } from '../../src/cluster/changes/index.js'
import type { Cluster } from '../../src/cluster/types.js'
import { startApiServer, type ApiServer, type ApiServerOptions } from '../../src/host/kubeApi/server.js'
import { createEditQueue } from '../../src/lab/live/editQueue.js'
import type { LabState } from '../../src/snapshot/model/labState.js'
import { apiWrite, liveWrites } from '../../src/lab/live/liveWrites.js'
import type { IpFamily } from '../../src/net/ipFamily.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { cluster as clusterOf, twoNodes } from '../cluster/lab.js'
import { ask, token, type Received } from './client.js'

/** A lab without a kernel: an API server with a writer, and the cluster that it writes. */
export interface WritableLab {
  readonly store: Store
  readonly server: ApiServer
  cluster(): Cluster
  /** Changes the cluster as a kubelet does; the controllers follow. */
  edit(edit: (cluster: Cluster) => Cluster): Promise<void>
  /** Sends a request with the token; the body is sent as JSON. */
  send(method: string, path: string, body?: unknown, contentType?: string): Promise<Received>
}

/** A network for every such lab; nothing reads more of it than the names of its nodes. */
const { topology } = prepareLab('labs/nodeport')

/** Serves a cluster from YAML text until the test ends. */
export async function writableLab(
  t: { after(end: () => Promise<void>): void },
  text: string,
  options: Partial<ApiServerOptions> = {},
  families: readonly IpFamily[] = ['IPv4'],
): Promise<WritableLab> {
  const shown = (cluster: Cluster) => clusterObjects(cluster, { kernel: '6.1.0', since: new Date(0) })
  const start = reconcileLive({ ...clusterOf(text, { families }), now: '2026-01-02T03:04:05Z' })
  const store = createStore(shown(start))
  let seen = start
  const edits = createEditQueue({
    initial: { cluster: start } as LabState,
    topologyOf: () => topology,
    followers: [
      ({ cluster }) => {
        store.replace(shown(cluster))
        seen = cluster
        return Promise.resolve()
      },
    ],
    idle: () => {},
  })
  const live = liveWrites(edits, { ...twoNodes, families })
  const writer: Writer = { token, write: (write) => apiWrite(live, write, seen) }
  const server = await startApiServer(store, { host: '127.0.0.1', port: 0, writer, ...options })
  t.after(() => server.close())
  return {
    store,
    server,
    cluster: () => edits.state().cluster,
    edit: (edit) => edits.edit(edit),
    send: (method, path, body, contentType = 'application/json') =>
      ask(server, path, {
        method,
        headers: { 'Content-Type': contentType },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
  }
}
