import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { SandboxError } from '../errors.js'
import { servePortals } from '../host/userspace/portalServer.js'
import { createPortals } from '../host/userspace/servedPortals.js'
import { joinHostPort } from '../proxy/addresses.js'
import type { PortalOrders } from '../proxy/userspace/orders.js'

interface ServePortalsOptions {
  readonly file: string
  readonly socket: string
  readonly pidFile: string
}

/** `vethlab serve-portals`: the kube-proxy process of mode userspace, run in a node's namespace; ends with its sandbox. */
export function servePortalsCommand(): Command {
  return new Command('serve-portals')
    .requiredOption('--file <json>')
    .requiredOption('--socket <path>')
    .requiredOption('--pid-file <path>')
    .action(async ({ file, socket, pidFile }: ServePortalsOptions) => {
      const portals = createPortals({ random: Math.random, now: Date.now })
      for (const orders of JSON.parse(readFileSync(file, 'utf8')) as PortalOrders[]) {
        const [refused] = await portals.replace(orders)
        if (refused === undefined) continue
        const where = joinHostPort(refused.address, refused.port)
        throw new SandboxError(`${refused.key}: the ${refused.what} ${where} cannot be had`, refused.code)
      }
      await servePortals(portals, socket)
      // whoever waits for the file finds a number in it
      writeFileSync(`${pidFile}.new`, `${process.pid}\n`)
      renameSync(`${pidFile}.new`, pidFile)
    })
}
