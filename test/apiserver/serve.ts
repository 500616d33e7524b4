import { startApiServer, type ApiServer, type ApiServerOptions } from '../../src/host/kubeApi/server.js'
import { createStore, type Store, type StoreOptions } from '../../src/apiserver/store.js'
import type { KubeObject } from '../../src/cluster/types.js'
import { lab } from './objects.js'

/** Serves a store on loopback until the test ends. */
export async function serve(
  t: { after(end: () => Promise<void>): void },
  objects: readonly KubeObject[] = lab,
  options: Partial<ApiServerOptions> & StoreOptions = {},
): Promise<{ store: Store; server: ApiServer }> {
  const store = createStore(objects, { ...(options.clock ? { now: options.clock.now } : {}), ...options })
  const server = await startApiServer(store, { host: '127.0.0.1', port: 0, ...options })
  t.after(() => server.close())
  return { store, server }
}
