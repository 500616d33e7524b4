import { exitCode, InputError } from '../../errors.js'
import { plannedUpLab, traceInNewLab, traceInUpLab } from '../../inspect/traceInLab.js'
import type { LabRequest } from '../../lab/trace/traceIn.js'
import { headlineText, observedHeadline } from '../../diagnose/headline.js'
import { observedWhy } from '../../diagnose/observedWhy.js'
import { question } from '../../diagnose/question.js'
import { prepareAsWritten } from '../../lab/plan/planSnapshot.js'
import { edited } from '../../diagnose/edits.js'
import { snapshotOf } from '../../snapshot/fromPlan/plannedState.js'
import { jsonText } from '../../reporters/jsonText.js'
import { createColours } from '../../text/colour.js'
import { nthPacket } from '../../trace/observed/nthPacket.js'
import { withoutRule } from '../../trace/rules/without.js'
import { observedDocument } from '../../trace/text/observedDocument.js'
import { laterPacketText } from '../../trace/text/laterPacketText.js'
import { observedText } from '../../trace/text/observedText.js'
import { callerGot } from '../../results/request.js'
import type { IptablesBackend } from '../../netfilter/types.js'
import type { Language } from '../../text/language.js'
import { upLabNamed, type UpLab } from '../../up/upLab.js'
import { shownWhy } from '../../view/report/shownWhy.js'
import { stepOf } from '../../view/report/tracedRequest.js'
import { interruptible } from '../endOnSignals.js'
import { chosenLanguage } from '../options.js'
import { print, printColoured } from '../output.js'
import { terminal } from '../terminal.js'
import { openTracePage } from './traceHtml.js'
import { readOptions, rejectOther, writtenRequest, type RequestFlags } from './traceRequest.js'

/** Options of a real request. */
export interface ObservedFlags extends RequestFlags {
  readonly all?: true
  readonly json?: true
  readonly lang?: Language
  readonly html?: string
  readonly iptables?: IptablesBackend
  /** Counted from 1. */
  readonly packet?: number
}

/** Sends a request, explains it, and compares it with its prediction; returns the exit code. */
export async function traceObserved(
  lab: string,
  from: string,
  to: string,
  flags: ObservedFlags,
): Promise<number> {
  for (const option of ['source', 'uid', 'gid', 'mark', 'in'] as const)
    if (flags[option] !== undefined)
      throw new InputError([{ message: `--${option} needs --predict: a real request has its own` }])
  if (flags.after.length > 0)
    throw new InputError([{ message: '--after needs --predict: run the command with vethlab exec' }])
  const language = chosenLanguage(flags.lang)
  const page = flags.html === undefined ? undefined : openTracePage(flags.html, language)
  const up = await upLabNamed(lab)
  if (up !== undefined && flags.iptables !== undefined) throw runsAlready(up)
  const target = up ?? prepareAsWritten(lab, readOptions(flags))
  const snapshot = 'holder' in target ? await plannedUpLab(target) : snapshotOf(target)
  if (up !== undefined) rejectOther(snapshot, flags)
  const asked = question(edited(snapshot, flags), writtenRequest(from, to, flags))
  const number = flags.packet ?? 1
  const request: LabRequest = {
    question: asked,
    packets: number > 1 ? 'all' : 'first',
    change: (state) => flags.without.reduce(withoutRule, state),
  }
  const observed = await interruptible((signal) =>
    'holder' in target
      ? traceInUpLab(target, request, signal)
      : traceInNewLab(target, request, { signal, iptables: flags.iptables }),
  )
  const { comparison, prediction, packet, result, all, exchange } = observed
  const step = { name: `${from} → ${to}`, from: asked.from, basis: snapshot.basis, packet, prediction }
  const got = callerGot(result)
  if (page !== undefined) {
    const why = observedWhy(asked, observed, got)
    const shown = { ...step, why: why && shownWhy(why), observed: { comparison, got } }
    await page.write(snapshot.model, [stepOf(shown)])
  }
  const later =
    number > 1 ? nthPacket(all, asked.from, exchange ?? { holds: () => false }, number) : undefined
  if (flags.json === true) {
    const { name } = snapshot.model.lab
    print(jsonText(observedDocument(name, asked.from, packet, got.outcome, prediction, comparison, later)))
  } else {
    const { colour, width } = terminal()
    const nameOf = (address: string) => snapshot.model.names.at(address)?.label
    const options = {
      ...{ colours: createColours(colour), language },
      ...{ width, all: flags.all === true, nameOf },
    }
    if (later === undefined)
      printColoured(
        headlineText(observedHeadline(asked, prediction, comparison, got, options.language), options),
      )
    printColoured(
      later === undefined
        ? observedText(prediction, comparison, got, options)
        : laterPacketText(later, options),
    )
  }
  if (later?.request.length === 0)
    throw new InputError([{ message: `the caller has sent no packet ${number} in this connection` }])
  return comparison.differences.length === 0 ? exitCode.ok : exitCode.checkFailed
}

function runsAlready({ lab }: UpLab): InputError {
  return new InputError([
    {
      message: `the lab "${lab}" is running: --iptables is for a lab that trace starts`,
      hint: `\`vethlab down ${lab}\` removes it`,
    },
  ])
}
