import { Command, Option } from 'commander'
import type { IpFamily } from '../net/ipFamily.js'
import type { IptablesBackend } from '../netfilter/types.js'
import { tryToReplace, writeSecretForCaller } from '../host/callerFiles.js'
import { requireTools } from '../host/environment.js'
import { prepareLab } from '../lab/plan/prepareLab.js'
import type { ModeName } from '../agents/kubeProxy/config.js'
import type { Lab } from '../lab/types.js'
import { exitCode } from '../errors.js'
import { isAttached } from '../inspect/isAttached.js'
import { withAttachedLab, writeLabOf, type AttachedLabFlags } from './labs/labOfAttached.js'
import { endOnSignals } from './endOnSignals.js'
import { startHeld } from '../up/holder.js'
import { serveOnHost } from '../up/upLab.js'
import { unlessAborted } from '../host/sandbox/unlessAborted.js'
import { followManifests } from './followManifests.js'
import {
  backendOption,
  commandsOption,
  familiesOption,
  ignoreOption,
  kubeProxyOption,
  labModeOption,
} from './options.js'
import { print, printError } from './output.js'

interface UpFlags extends AttachedLabFlags {
  readonly iptables?: IptablesBackend
  readonly families?: readonly IpFamily[]
  readonly ignore: readonly string[]
  readonly commands?: 'echo' | 'strict'
  readonly kubeProxy?: string
  readonly watch?: boolean
  readonly mode?: ModeName
  readonly view?: true
  readonly kubeconfig?: string
}

/** `vethlab up <lab>`. */
export function upCommand(): Command {
  return withAttachedLab(new Command('up'))
    .description(
      '`down` removes the lab. If its process ends for another reason, the kernel removes all of it.\n' +
        'Of a snapshot of a cluster (a bundle, a file, `-`) the lab is written to a folder first: its nodes and Services, and pods that are echo\n' +
        'servers, with the same addresses; kube-proxy writes the rules.',
    )
    .argument('<lab>', 'name of a lab, or a path; or what `check` reads: a support bundle, a file')
    .addOption(backendOption())
    .addOption(commandsOption())
    .addOption(familiesOption())
    .addOption(ignoreOption())
    .addOption(kubeProxyOption())
    .addOption(labModeOption())
    .addOption(
      new Option('--view', 'keep running, and serve the page of the lab, as `vethlab view` does').conflicts(
        'watch',
      ),
    )
    .option(
      '--kubeconfig <file>',
      'serve the API on 127.0.0.1 of the host until the lab ends, and write the kubeconfig to a file',
    )
    .option('--watch', "keep running, and apply the lab's manifests when they change")
    .addHelpText(
      'after',
      '\nExample:\n  $ vethlab up nodeport\n  $ vethlab exec nodeport client -- curl -s http://172.18.0.2:30080/\n' +
        '  $ vethlab up bundle.tar.gz --service shop/api',
    )
    .action(async (what: string, flags: UpFlags) => {
      const lab = isAttached(what) ? await writeLabOf(what, flags) : what
      const ignoreKinds = new Set(flags.ignore)
      const { families, mode, commands, kubeProxy: kubeProxyBinary } = flags
      const options = { ignoreKinds, families, mode, commands, kubeProxyBinary }
      if (flags.view === true) requireTools(['tcpdump'])
      if (flags.kubeconfig !== undefined) tryToReplace(flags.kubeconfig)
      const prepared = prepareLab(lab, options)
      for (const notice of prepared.notices) printError(`${notice}\n`)
      const controller = new AbortController()
      const interrupted = endOnSignals(controller)
      try {
        const { view, notices, holder } = await startHeld(prepared, {
          ...options,
          iptables: flags.iptables,
          signal: controller.signal,
          onWait: (pods) => printError(`waiting for the first probes of ${pods.join(', ')}\n`),
        })
        for (const notice of notices) printError(`${notice}\n`)
        if (flags.kubeconfig !== undefined)
          writeSecretForCaller(flags.kubeconfig, await serveOnHost({ holder }))
        print(
          `${prepared.lab.name} is running: ${someNames([...view.nodes, ...view.clients, ...view.pods])}\n` +
            `  vethlab shell ${prepared.lab.name} ${view.nodes[0]?.name ?? ''}\n  vethlab down ${prepared.lab.name}\n`,
        )
        process.exitCode = exitCode.ok
      } catch (error) {
        if (interrupted.code === undefined) throw error
        process.exitCode = interrupted.code
        return
      } finally {
        interrupted.forget()
      }
      if (flags.watch === true) await watchUntilSignal(prepared.lab)
      if (flags.view === true) {
        const { servePageOf } = await import('./view/servePageOf.js')
        await servePageOf(prepared.lab.name, { address: '127.0.0.1', port: 0, readOnly: false })
      }
    })
}

/** The first names, and the number of the others. */
function someNames(places: readonly { readonly name: string }[]): string {
  const shown = places.slice(0, 24).map(({ name }) => name)
  return places.length === shown.length
    ? shown.join(', ')
    : `${shown.join(', ')} and ${places.length - shown.length} more`
}

/** Applies manifests until a signal; the lab then keeps running. */
async function watchUntilSignal(lab: Lab): Promise<void> {
  const controller = new AbortController()
  const interrupted = endOnSignals(controller)
  try {
    await unlessAborted(controller.signal, followManifests(lab, controller.signal))
  } catch (error) {
    if (interrupted.code === undefined) throw error
    process.exitCode = interrupted.code
  } finally {
    interrupted.forget()
  }
}
