import { Command, InvalidArgumentError, Option } from 'commander'
import { InputError } from '../../errors.js'
import { isAttached } from '../../inspect/isAttached.js'
import { inMode, snapshotOf } from '../../snapshot/fromPlan/plannedState.js'
import { type LabModel } from '../../snapshot/model/snapshot.js'
import { comparedHeadline, headline, headlineText } from '../../diagnose/headline.js'
import { question, type Question } from '../../diagnose/question.js'
import { limitsOf } from '../../diagnose/why/remarks.js'
import { causesIn, whyRequest } from '../../diagnose/why/whyRequest.js'
import { jsonText } from '../../reporters/jsonText.js'
import { createColours } from '../../text/colour.js'
import { modeNames, type ModeName } from '../../agents/kubeProxy/config.js'
import { isAnswered } from '../../trace/model/isAnswered.js'
import type { Prediction } from '../../trace/model/steps.js'
import { predict } from '../../trace/predict.js'
import { comparisonDocument, predictionDocument } from '../../trace/text/predictionDocument.js'
import { comparisonText } from '../../trace/text/comparisonText.js'
import { predictionText } from '../../trace/text/predictionText.js'
import { backendOption, chosenLanguage, languageOption, positiveNumber } from '../options.js'
import { print, printColoured } from '../output.js'
import { terminal } from '../terminal.js'
import type { ObservedFlags } from './traceObserved.js'
import type { ShownWhy } from '../../view/report/document.js'
import { shownWhy } from '../../view/report/shownWhy.js'
import { stepOf } from '../../view/report/tracedRequest.js'
import { openTracePage } from './traceHtml.js'
import { printNotices, readNamed, withRequest, writtenRequest } from './traceRequest.js'

interface TraceFlags extends ObservedFlags {
  readonly predict?: true
  readonly path?: number
  readonly compare?: ModeName
  readonly html?: string
}

const help = `
With --lang ko, rules, names and output of tools stay as they are.

Examples:
  $ vethlab trace nodeport client http://{node-a}:30080/
  $ vethlab trace nodeport client http://{node-a}:30080/ --packet second
  $ vethlab trace nodeport client http://{node-a}:30080/ --iptables legacy
  $ vethlab trace nodeport client http://{node-a}:30080/ --predict
  $ vethlab trace clusterip caller {shop}:80 --predict --all
  $ vethlab trace nodeport client {node-a}:30080 --predict --without 'node-a KUBE-POSTROUTING 3'
  $ vethlab trace nodeport client {node-a}:30080 --predict --compare nftables`

/** `vethlab trace <lab> <from> <url>`. */
export function traceCommand(): Command {
  return withRequest(new Command('trace'))
    .description(
      'Sends one request in the running lab, or else in one that it starts, reads the trace of every kernel on its path, and\n' +
        'compares it with the prediction: a difference is an error (exit code 1).\n' +
        'With --predict it evaluates the rules of the plan: that needs no root, and sends no packet.',
    )
    .option('--predict', 'predict from the plan, and send no packet')
    .option('--all', 'print every rule that is evaluated')
    .addOption(
      new Option('--path <number>', 'with --predict, the path to print rule by rule (default: 1)').argParser(
        positiveNumber,
      ),
    )
    .addOption(
      new Option(
        '--compare <mode>',
        'with --predict, print the path in this mode of kube-proxy beside it',
      ).choices(modeNames),
    )
    .addOption(
      new Option('--packet <number>', 'a later packet of the connection, and of its answer: second, or 2')
        .argParser(readOrdinal)
        .conflicts('predict'),
    )
    .addOption(backendOption().conflicts('predict'))
    .addOption(new Option('--json', 'print JSON').conflicts('lang'))
    .addOption(languageOption('the path'))
    .addOption(
      new Option('--html <file>', 'write the path over the topology as one HTML file, too').conflicts([
        'json',
        'packet',
      ]),
    )
    .addHelpText('after', help)
    .action(async (lab: string, from: string, url: string, flags: TraceFlags) => {
      if (flags.predict === true || isAttached(lab)) return predicted(lab, from, url, flags)
      if (flags.compare !== undefined)
        throw new InputError([{ message: '--compare needs --predict: a real request is made in one mode' }])
      if (flags.path !== undefined)
        throw new InputError([{ message: '--path needs --predict: a real request takes one path' }])
      const { traceObserved } = await import('./traceObserved.js')
      process.exitCode = await traceObserved(lab, from, url, flags)
    })
}

async function predicted(lab: string, from: string, url: string, flags: TraceFlags): Promise<void> {
  const language = chosenLanguage(flags.lang)
  const page = flags.html === undefined ? undefined : openTracePage(flags.html, language)
  const written = writtenRequest(from, url, flags)
  const asked = question((await readNamed(lab, { ...flags, plan: true })).snapshot, written)
  const { snapshot, from: place, packet } = asked
  const { model } = snapshot
  // the steps of a comparison are counted
  const everyRule = [flags.all, flags.json, flags.compare, page].some((one) => one !== undefined)
  const prediction = predict(snapshot.state, place, packet, { everyRule })
  const compared =
    flags.compare === undefined
      ? undefined
      : ([
          { mode: modeOf(model), asked, prediction },
          { mode: flags.compare, ...(await predictedIn(flags.compare, lab, flags, asked)) },
        ] as const)
  if (flags.json === true) {
    if (compared !== undefined) print(jsonText(comparisonDocument(model.lab.name, place, packet, compared)))
    else print(jsonText(predictionDocument(model.lab.name, place, packet, prediction)))
    return
  }
  const step = `${from} → ${url}`
  const shown = { from: place, basis: snapshot.basis, packet }
  const why = causesIn(asked, prediction)
  const notices = [...snapshot.notices, ...limitsOf(why)]
  if (page !== undefined)
    await page.write(
      model,
      (compared ?? [{ mode: undefined, asked, prediction }]).map((one) =>
        stepOf({
          ...{ ...shown, name: one.mode === undefined ? step : `${step} in mode ${one.mode}` },
          ...{ prediction: one.prediction, why: failureOf(one.asked, one.prediction) },
        }),
      ),
      { network: snapshot.state.network, notices },
    )
  const { paths } = prediction
  const { path = 1 } = flags
  if (path > paths.length) {
    const hint = paths.length === 1 ? 'only path 1 is possible' : `there are paths 1 to ${paths.length}`
    throw new InputError([{ message: `there is no path ${path}`, hint }])
  }
  const { colour, width } = terminal()
  const options = { colours: createColours(colour), language, width, all: flags.all === true, path }
  const nameOf = (address: string) => model.names.at(address)?.label
  printNotices({ notices }, options.colours, language)
  const [left, right] = compared?.map((one) => ({ ...one, why: causesIn(one.asked, one.prediction) })) ?? []
  const first =
    left === undefined || right === undefined
      ? headline(asked, why, language)
      : comparedHeadline(left, right, language)
  printColoured(headlineText(first, options))
  printColoured(
    compared === undefined
      ? predictionText(prediction, { ...options, nameOf })
      : comparisonText(...compared, options),
  )
}

/** Why a predicted request fails, with what would fix it; undefined if it passes. */
function failureOf(asked: Question, { paths }: Prediction): ShownWhy | undefined {
  if (paths.every(({ end }) => isAnswered(end))) return undefined
  return shownWhy(whyRequest(asked.snapshot, asked.written))
}

/** The mode of kube-proxy in the lab. */
function modeOf({ kubeProxy }: LabModel): string {
  return kubeProxy.kind === 'built-in' ? kubeProxy.mode.name : 'without the rules of kube-proxy'
}

/** The same request in another mode. Throws InputError for the mode that the lab has. */
async function predictedIn(
  mode: ModeName,
  lab: string,
  flags: TraceFlags,
  { snapshot, written }: Question,
): Promise<{ readonly asked: Question; readonly prediction: Prediction }> {
  if (modeOf(snapshot.model) === mode)
    throw new InputError([{ message: `the lab is in mode ${mode}: --compare needs another one` }])
  const other = isAttached(lab)
    ? question(snapshotOf(inMode(snapshot.model, mode)), written)
    : question((await readNamed(lab, { ...flags, mode, plan: true })).snapshot, written)
  return {
    asked: other,
    prediction: predict(other.snapshot.state, other.from, other.packet, { everyRule: true }),
  }
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth']

function readOrdinal(text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : ordinals.indexOf(text) + 1
  if (number >= 1) return number
  throw new InvalidArgumentError(`It must be a number, or one of ${ordinals.join(', ')}.`)
}
