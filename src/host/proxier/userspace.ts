import { portalProgram } from '../builtFiles.js'
import { savedNow } from '../readings.js'
import { listPortals, nodePortalsOf } from '../userspace/nodePortals.js'
import { liveIptables } from './iptables.js'
import type { LiveMode } from './liveMode.js'
import { proxierOf } from './proxier.js'
import { userspaceWriter } from './userspaceWriter.js'

export const liveUserspace: LiveMode = {
  ...liveIptables,
  nodeProcess: (sandbox, node) => nodePortalsOf(sandbox, node, portalProgram()),
  proxier(options) {
    const { tables, family, input, adopt = false, portals } = options
    if (portals === undefined) throw new Error('mode userspace needs the process that owns the portals')
    return proxierOf(
      options,
      userspaceWriter({ tables, family, portals, adopted: adopt ? input : undefined }),
    )
  },
  async find(sandbox, netns, family) {
    const [served, tables] = await Promise.all([
      listPortals(sandbox, netns),
      savedNow(sandbox, netns, family),
    ])
    return { tables, served }
  },
  evidence: undefined,
}
