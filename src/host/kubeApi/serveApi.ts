import { createInterface } from 'node:readline'
import { createStore, type Store } from '../../apiserver/store.js'
import { apiListens, type ApiOrder } from '../kubeProxy/apiOrder.js'
import { startApiServer } from './server.js'

/** Serves the objects of each order on standard input, until that ends. */
export async function serveApi(address: { readonly host: string; readonly port: number }): Promise<void> {
  let store: Store | undefined
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const { objects, standing } = JSON.parse(line) as ApiOrder
    if (store !== undefined) {
      store.replace(objects)
      continue
    }
    store = createStore(objects, standing === undefined ? {} : { builtIn: standing })
    await startApiServer(store, address)
    process.stdout.write(`${apiListens}\n`)
  }
}
