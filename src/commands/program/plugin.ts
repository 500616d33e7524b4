import { createInterface } from 'node:readline/promises'
import { CannotRunError, exitCode, InputError } from '../../errors.js'
import { collectContext, type Context } from '../../host/collect/collectContext.js'
import { collectScript } from '../../snapshot/attached/collect/script.js'
import { interruptible } from '../endOnSignals.js'
import { printError } from '../output.js'
import { defaultImage, defaultSeconds } from '../trace/collect.js'
import { terminal } from '../terminal.js'
import { reflow } from '../../text/reflow.js'
import { loadVerb, verbGroups } from './verbs.js'

/** Verbs that explain a cluster, and how many words follow the name of what they read. */
const words: Readonly<Record<string, number>> = { check: 0, reach: 0, why: 2, trace: 2 }

/**
 * The arguments of a plugin of kubectl. A verb that explains a cluster, without the name of one, is about that of kubectl's context:
 * after a question, it is collected into a folder, which becomes the name. Undefined if the answer was no.
 */
export async function pluginArguments(argv: readonly string[]): Promise<readonly string[] | undefined> {
  const [verb = '', ...rest] = argv
  const wanted = words[verb]
  const { own, kubectl, yes } = split(rest)
  if (wanted === undefined || own.some((word) => word === '--help' || word === '-h')) return argv
  if ((await operandsOf(verb, own)).length !== wanted) return argv
  const folder = await interruptible((signal) => collect(kubectl, yes, signal))
  if (folder === undefined) process.exitCode = exitCode.checkFailed
  return folder === undefined ? undefined : [verb, folder, ...own]
}

async function operandsOf(name: string, args: readonly string[]): Promise<readonly string[]> {
  const verb = verbGroups.flatMap(({ verbs }) => verbs).find((one) => one.name === name)
  return verb === undefined ? [] : (await loadVerb(verb)).parseOptions([...args]).operands
}

/** Separates what is for kubectl, and the consent, from the arguments of the verb. */
function split(args: readonly string[]) {
  const kubectl: string[] = []
  const own: string[] = []
  let yes = false
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? ''
    if (/^--(context|kubeconfig)=/.test(word)) kubectl.push(word)
    else if (word === '--context' || word === '--kubeconfig') kubectl.push(word, args[++index] ?? '')
    else if (word === '--yes') yes = true
    else own.push(word)
  }
  return { own, kubectl, yes }
}

async function collect(
  kubectl: readonly string[],
  yes: boolean,
  signal: AbortSignal,
): Promise<string | undefined> {
  const consents = (context: Context) => (yes ? Promise.resolve(true) : isAllowed(context, signal))
  const found = await collectContext(kubectl, defaultImage, consents, {
    ...{ script: collectScript(), signal, timeoutMs: defaultSeconds * 1000 },
    ended: (one) => printError('failed' in one ? `${one.name}: ${one.failed}\n` : `${one.name}: collected\n`),
  })
  if (found === undefined) return undefined
  if (found.collected.every((one) => 'failed' in one))
    throw new CannotRunError('nothing was collected from the cluster')
  printError(`what was collected is in ${found.folder}, for more questions\n\n`)
  return found.folder
}

/** Asks at the terminal. Throws InputError where nobody can answer. */
async function isAllowed({ name, server }: Context, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY) {
    const message = `collecting from the cluster of the context ${name} needs consent`
    throw new InputError([{ message, hint: 'add --yes, or name a file, a folder or a lab' }])
  }
  const what =
    `This reads the objects of the cluster of the context ${name} (${server}), without Secrets, and on each of its nodes the rules, ` +
    `routes and settings of the kernel: in a privileged pod of \`kubectl debug\` with the image ${defaultImage}, which is deleted after.`
  printError(`${reflow(what, terminal().width)}\n`)
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await asking.question('Collect? [y/N] ', { signal })).trim())
  } finally {
    asking.close()
  }
}
