import { Command } from 'commander'
import { namesOf } from '../../names/names.js'
import { InputError } from '../../errors.js'
import { getText, linesFromApi, resourceNamed, resourcePath } from '../../up/api.js'
import { withUpLab, type UpLab } from '../../up/upLab.js'
import { wholeNumber } from '../options.js'
import { print } from '../output.js'
import { followLab } from './followLab.js'

interface LogsFlags {
  readonly namespace?: string
  readonly selector?: string
  readonly container?: string
  readonly follow?: boolean
  readonly previous?: boolean
  readonly tail?: number
}

/** `kubectl logs POD`, or `-l SELECTOR` for the first pod that matches. */
export function logsCommand(name: string): Command {
  return new Command('logs')
    .argument('[pod]', 'name of a pod')
    .option('-l, --selector <selector>', 'the first pod with these labels: app=web')
    .option('-n, --namespace <namespace>', 'Kubernetes namespace of the pod')
    .option('-c, --container <name>', 'the container; needed if the pod has several')
    .option('-f, --follow', 'print what is written until the pod is deleted, or until Ctrl-C')
    .option('-p, --previous', 'the output of the container before it was last restarted')
    .option('--tail <lines>', 'only this many lines from the end', wholeNumber)
    .action(async (named: string | undefined, flags: LogsFlags) => {
      const pod = flags.selector ?? named
      if (pod === undefined) throw new InputError([{ message: 'name a pod, or a selector with -l' }])
      if (flags.follow !== true) {
        print(await withUpLab(name, (lab) => getText(lab, { path: logPath(lab, pod, flags), table: false })))
        return
      }
      await followLab(name, async (lab, signal) => {
        const path = logPath(lab, pod, flags)
        // an error is a line like any other once the output is streamed
        await getText(lab, { path: `${path}&limitBytes=1`, table: false })
        for await (const line of linesFromApi(lab, { path: `${path}&follow=true`, table: false }, signal))
          print(`${line}\n`)
      })
    })
}

function logPath({ view }: UpLab, pod: string, { namespace, container, previous, tail }: LogsFlags): string {
  const reference = namespace === undefined ? pod : `${namespace}/${pod}`
  const looked = namesOf(view).lookup(reference, ['pod'])
  if (!('found' in looked)) throw new InputError([{ message: looked.problem, hint: looked.hint }])
  const [found] = looked.found
  const query = new URLSearchParams({
    ...(container === undefined ? {} : { container }),
    ...(tail === undefined ? {} : { tailLines: String(tail) }),
    previous: String(previous === true),
  })
  return `${resourcePath(resourceNamed('pods'), found.namespace, found.name)}/log?${query.toString()}`
}
