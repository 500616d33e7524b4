import { Command, Option } from 'commander'
import { exitCode } from '../../errors.js'
import { whyWithEvidence } from '../../inspect/checkEvidence.js'
import { question } from '../../diagnose/question.js'
import { whyDocument } from '../../diagnose/why/whyDocument.js'
import { whyRequest } from '../../diagnose/why/whyRequest.js'
import { whyText } from '../../diagnose/why/whyText.js'
import { jsonText } from '../../reporters/jsonText.js'
import { createColours } from '../../text/colour.js'
import type { Language } from '../../text/language.js'
import { chosenLanguage, languageOption } from '../options.js'
import { print, printColoured } from '../output.js'
import { terminal } from '../terminal.js'
import { printNotices, readNamed, withRequest, writtenRequest, type RequestFlags } from './traceRequest.js'

interface WhyFlags extends RequestFlags {
  readonly json?: true
  readonly lang?: Language
  readonly plan?: true
}

const help = `
Each change that is printed has been predicted: the request passes after it. Exit code 1 if the request does not pass.

Examples:
  $ vethlab why nodeport client http://{node-a}:30080/
  $ vethlab why nobody-home client http://{node-a}:30080/
  $ vethlab why nodeport client {node-a}:30080 --after 'node-a iptables -P FORWARD DROP'`

/** `vethlab why <lab> <from> <url>`. */
export function whyCommand(): Command {
  return withRequest(new Command('why'))
    .description(
      'The reason comes from what the kernel has while the lab runs (vethlab up), otherwise from its plan, which needs no root.\n' +
        'It sends no packet.',
    )
    .option('--plan', 'use the plan, even if the lab is running')
    .addOption(new Option('--json', 'print JSON').conflicts('lang'))
    .addOption(languageOption('the answer'))
    .addHelpText('after', help)
    .action((lab: string, from: string, url: string, flags: WhyFlags) => why(lab, from, url, flags))
}

async function why(name: string, from: string, url: string, flags: WhyFlags): Promise<void> {
  const { snapshot, bundle } = await readNamed(name, flags)
  const asked = question(snapshot, writtenRequest(from, url, flags))
  const found = whyWithEvidence(whyRequest(snapshot, asked.written), bundle)
  if (found.outcome !== 'passes') process.exitCode = exitCode.checkFailed
  const { model, notices } = snapshot
  if (flags.json === true) {
    print(jsonText(whyDocument(model.lab.name, asked.from, asked.packet, notices, found)))
    return
  }
  const { colour, width } = terminal()
  const colours = createColours(colour)
  const language = chosenLanguage(flags.lang)
  printNotices(snapshot, colours, language)
  printColoured(whyText(found, asked, { colours, language, width }))
}
