import { Command } from 'commander'
import { exitCode } from '../errors.js'
import { describeDiagnosis } from '../host/doctor/describe.js'
import { diagnose } from '../host/doctor/diagnose.js'
import { isRequiredLack, type Finding } from '../host/doctor/finding.js'
import { createColours } from '../text/colour.js'
import { endOnSignals } from './endOnSignals.js'
import { print, printColoured } from './output.js'
import { terminal } from './terminal.js'
import { jsonText } from '../reporters/jsonText.js'
import { unlessAborted } from '../host/sandbox/unlessAborted.js'

const help = `
Exit code: 0 when labs can run, 3 when a requirement is missing.

Example:
  $ vethlab doctor
  $ vethlab doctor --json | jq '.findings[] | select(.status == "missing")'`

/** `vethlab doctor`: checks each requirement and prints the fix for each one that is missing. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Tries out each requirement, and prints the fix for each one that is missing.')
    .option('--json', 'print one JSON document')
    .addHelpText('after', help)
    .action(async (options: { json?: true }) => {
      const controller = new AbortController()
      const interrupted = endOnSignals(controller)
      const diagnosis = await unlessAborted(controller.signal, diagnose()).catch((error: unknown) => {
        if (interrupted.code === undefined) throw error
        process.exitCode = interrupted.code
      })
      interrupted.forget()
      if (diagnosis === undefined) return
      if (options.json) print(jsonText(diagnosis))
      else printColoured(describe(diagnosis))
      if (!diagnosis.ok) process.exitCode = exitCode.cannotRun
    })
}

function describe(diagnosis: Awaited<ReturnType<typeof diagnose>>): string {
  const { colour, width } = terminal()
  const colours = createColours(colour)
  const paint = (finding: Finding, text: string) => {
    if (finding.status === 'ok') return colours.good(text)
    return isRequiredLack(finding) ? colours.bad(text) : colours.dim(text)
  }
  return describeDiagnosis(diagnosis, paint, width)
}
