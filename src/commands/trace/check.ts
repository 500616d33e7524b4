import { Command, Option } from 'commander'
import { check } from '../../diagnose/check/check.js'
import { checkDocument } from '../../diagnose/check/checkDocument.js'
import { verdictOf } from '../../diagnose/check/types.js'
import { checkText } from '../../diagnose/check/checkText.js'
import { withEvidence } from '../../inspect/checkEvidence.js'
import { readAnySnapshot } from '../../inspect/anySnapshot.js'
import { collect } from '../../host/manifestFiles.js'
import { exitCode } from '../../errors.js'
import { jsonText } from '../../reporters/jsonText.js'
import { createColours } from '../../text/colour.js'
import type { Language } from '../../text/language.js'
import { chosenLanguage, languageOption } from '../options.js'
import { print, printColoured } from '../output.js'
import { terminal } from '../terminal.js'

const exitCodes = { wrong: exitCode.checkFailed, healthy: exitCode.ok, undecided: exitCode.invalidInput }

interface CheckFlags {
  readonly filename?: readonly string[]
  readonly json?: true
  readonly lang?: Language
  readonly plan?: true
}

const help = `
It needs neither root nor a cluster: it reads files, and predicts a request of each kind to each port of each Service.
A problem is what certainly changes the result of a request: it fails, or reaches something else than intended. A note is a risk.
Exit code: 0 if requests were predicted, and there is no problem; 1 if there is one; 2 if nothing was decided.

Examples:
  $ vethlab check bundle.tar.gz
  $ iptables-save | vethlab check -
  $ kubectl get svc,ep,endpointslices,pods,nodes -A -o yaml > objects.yaml
  $ vethlab check save.txt -f objects.yaml`

/** `vethlab check <what>`. */
export function checkCommand(): Command {
  return new Command('check')
    .description(
      'Prints what is wrong in a cluster, by node and Service: of a support bundle, a folder or a pasted text, of a running lab, or of the plan of\n' +
        'a lab. Formats are recognised by their content, not by names of files.',
    )
    .argument('<what>', 'a file, a folder, an archive, or `-` for standard input; or the name of a lab')
    .option(
      '-f, --filename <file>',
      'more files: objects of the cluster, rules of a node (repeatable)',
      collect,
    )
    .option('--plan', 'use the plan of a lab, even if it is running')
    .addOption(new Option('--json', 'print JSON').conflicts('lang'))
    .addOption(languageOption('the answer'))
    .addHelpText('after', help)
    .action(async (what: string, flags: CheckFlags) => {
      const { snapshot, bundle } = await readAnySnapshot(what, flags)
      const found = withEvidence(check(snapshot), bundle)
      process.exitCode = exitCodes[verdictOf(found)]
      if (flags.json === true) return print(jsonText(checkDocument(found)))
      const { colour, width } = terminal()
      printColoured(
        checkText(found, { colours: createColours(colour), language: chosenLanguage(flags.lang), width }),
      )
    })
}
