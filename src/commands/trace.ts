import { Command } from 'commander'
import { InputError } from '../errors.js'
import { jsonText } from '../reporters/jsonText.js'
import { createColours } from '../text/colour.js'
import { predict } from '../trace/predict.js'
import { predictionDocument } from '../trace/text/predictionDocument.js'
import { predictionText } from '../trace/text/predictionText.js'
import { positiveNumber } from './options.js'
import { print, printColoured } from './output.js'
import { terminal } from './terminal.js'
import { predictable, withRequest, type RequestFlags } from './traceRequest.js'

interface TraceFlags extends RequestFlags {
  readonly predict?: true
  readonly all?: true
  readonly path: number
  readonly json?: true
}

const help = `
Examples:
  $ vethlab trace nodeport client http://{node-a}:30080/ --predict
  $ vethlab trace clusterip caller {shop}:80 --predict --all
  $ vethlab trace nodeport client {node-a}:30080 --predict --without 'node-a KUBE-POSTROUTING 3'`

/** `vethlab trace <lab> <from> <url> --predict`. */
export function traceCommand(): Command {
  return withRequest(new Command('trace'))
    .description('The prediction evaluates the rules of the plan: it needs no root, and sends no packet.')
    .option('--predict', 'predict from the plan; required, because real packets cannot be traced yet')
    .option('--all', 'print every rule that is evaluated')
    .option('--path <number>', 'the path to print rule by rule', positiveNumber, 1)
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action((lab: string, from: string, url: string, flags: TraceFlags) => {
      if (flags.predict !== true)
        throw new InputError([{ message: 'real packets cannot be traced yet', hint: 'add --predict' }])
      trace(lab, from, url, flags)
    })
}

function trace(lab: string, from: string, url: string, flags: TraceFlags): void {
  const { prepared, state, from: place, packet } = predictable(lab, from, url, flags)
  const prediction = predict(state, place, packet)
  if (flags.json === true) {
    print(jsonText(predictionDocument(prepared.lab.name, place, packet, prediction)))
    return
  }
  const { paths } = prediction
  if (flags.path > paths.length) {
    const hint = paths.length === 1 ? 'only path 1 is possible' : `there are paths 1 to ${paths.length}`
    throw new InputError([{ message: `there is no path ${flags.path}`, hint }])
  }
  const { colour, width } = terminal()
  const options = { colours: createColours(colour), width, all: flags.all === true, path: flags.path }
  const nameOf = (address: string) => prepared.names.at(address)?.label
  printColoured(predictionText(prediction, { ...options, nameOf }))
}
