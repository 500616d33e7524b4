// `npm run test:vm [-- command…]`: runs a vethlab command, by default `run nodeport`, in a virtual machine with Debian's
// cloud kernel, and prints its output and returns its exit code. `--script` runs your own shell script instead, in the
// folder of the project. See docs/vm.md.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { boot, guestCommand } from './vm/boot.js'
import { NotHere, requireVmTools } from './vm/tools.js'
import { vmImage } from './vm/image.js'

const usage =
  'Usage: npm run test:vm -- [--release NAME] [--timeout SECONDS] [--out FOLDER] [--script FILE | command of vethlab…]'

try {
  const { options, script } = read(process.argv.slice(2))
  requireVmTools()
  const image = await vmImage(options.release, (line) => process.stderr.write(`test:vm: ${line}\n`))
  process.exitCode = await boot(image, script, {
    timeoutMs: options.timeout * 1000,
    out: options.out,
    log: (line) => process.stderr.write(`test:vm: ${line}\n`),
  })
} catch (error) {
  if (!(error instanceof NotHere)) throw error
  process.stderr.write(`test:vm: ${error.message}\n`)
  process.exitCode = 3
}

/** Reads our own options, which come first; the rest is the command. */
function read(args: readonly string[]) {
  const first = args.findIndex((arg, index) => !arg.startsWith('--') && !isValue(args[index - 1]))
  const own = first < 0 ? args : args.slice(0, first)
  try {
    const { values } = parseArgs({
      args: [...own],
      options: {
        release: { type: 'string', default: 'trixie' },
        timeout: { type: 'string', default: '600' },
        out: { type: 'string' },
        script: { type: 'string' },
      },
    })
    const timeout = Number(values.timeout)
    if (!(timeout > 0)) throw new Error(`--timeout ${values.timeout} is not a number of seconds`)
    if (!/^[a-z]+$/.test(values.release))
      throw new Error(`--release ${values.release} is not a release of Debian`)
    if (values.script !== undefined && first >= 0)
      throw new Error('--script replaces the command: give only one of them')
    const command = first < 0 ? ['run', 'nodeport'] : args.slice(first)
    const script = values.script === undefined ? guestCommand(command) : readFileSync(values.script, 'utf8')
    return { options: { release: values.release, timeout, out: values.out }, script }
  } catch (error) {
    process.stderr.write(`test:vm: ${error instanceof Error ? error.message : String(error)}\n${usage}\n`)
    return process.exit(2)
  }
}

function isValue(before: string | undefined): boolean {
  return ['--release', '--timeout', '--out', '--script'].includes(before ?? '')
}
