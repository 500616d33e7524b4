import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EnterableContainer } from '../../../src/host/kubeApi/pods/access.js'
import type { Pod } from '../../../src/cluster/types.js'
import { pod } from '../objects.js'
import { serve } from '../serve.js'

/** The token of the server. */
export const token = 'a-token'

/** A pod of two containers. */
export const both: Pod = {
  ...pod('both', 'node-a'),
  spec: {
    nodeName: 'node-a',
    containers: [
      { name: 'web', image: 'x' },
      { name: 'side', image: 'x' },
    ],
  },
}

/** Serves pods whose commands run on this machine: `web-a` has one container, `both` two, `waiting` does not run. */
export async function servePods(t: { after(end: () => unknown): void }) {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-pods-'))
  t.after(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  const log = join(folder, 'log')
  const container = (name: string, file = log): EnterableContainer => ({
    name,
    log: file,
    env: { GREETING: 'hello' },
    command: (argv) => argv,
  })
  const running = new Map([
    ['lab/web-a', [container('echo')]],
    ['lab/both', [container('web'), { ...container('side'), log: undefined }]],
  ])
  const writer = { token, write: () => Promise.reject(new Error('not written here')) }
  const objects = [pod('web-a', 'node-a'), pod('waiting', 'node-a'), both]
  const served = await serve(t, objects, { writer, pods: (name) => running.get(name) })
  return { ...served, log, folder }
}
