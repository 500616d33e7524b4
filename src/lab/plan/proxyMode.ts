import type { Cluster } from '../../cluster/types.js'
import { InputError, OwnModeError } from '../../errors.js'
import type { ModeName } from '../../agents/kubeProxy/config.js'
import type { ProxyMode } from '../../agents/kubeProxy/mode.js'
import { defaultMode, modeOf } from '../../agents/kubeProxy/modes.js'
import { handlesService } from '../../agents/kubeProxy/servicePort.js'
import { isForeignTo } from './checksInMode.js'
import { isRequest } from '../file/toStep.js'
import type { Lab, Step } from '../types.js'

/**
 * The mode of the lab's kube-proxies: the requested one, or the lab's own; undefined if neither is set. Throws OwnModeError
 * if the lab was written for another mode than the requested one, InputError if the lab sets two modes.
 */
export function labProxyMode(lab: Lab, asked: ModeName | undefined): string | undefined {
  const own = ownMode(lab)
  if (asked === undefined) return own
  const against = whyNotIn(lab, asked, own)
  if (against !== undefined) throw new OwnModeError(asked, against.reason, lab.at(against.path))
  return asked
}

function ownMode({ kubeProxy, proxy, at }: Lab): string | undefined {
  const written = kubeProxy === false ? undefined : kubeProxy['mode']
  const configured = typeof written === 'string' && written !== '' ? written : undefined
  if (proxy.mode === undefined || configured === undefined || configured === proxy.mode)
    return proxy.mode ?? configured
  const message = `"kubeProxy.mode" is ${configured}, but "proxy.mode" is ${proxy.mode}`
  throw new InputError([{ message, at: at(['kubeProxy', 'mode']), hint: 'one of them is enough' }])
}

interface Against {
  readonly reason: string
  readonly path: readonly (string | number)[]
}

/** Why a lab cannot be run in a mode; undefined if it can. */
function whyNotIn(lab: Lab, asked: ModeName, own: string | undefined): Against | undefined {
  const { modes } = lab.proxy
  if (lab.kubeProxy === false) return { reason: 'its nodes have no kube-proxy', path: ['kubeProxy'] }
  if (modes !== undefined) {
    if (modes.includes(asked)) return undefined
    return { reason: `it is about mode ${modes.join(' and ')}`, path: ['proxy', 'modes'] }
  }
  if (asked === (own ?? defaultMode.name)) return undefined
  if (own !== undefined) {
    return {
      reason: `it is about mode ${own}`,
      path: lab.proxy.mode === undefined ? ['kubeProxy', 'mode'] : ['proxy', 'mode'],
    }
  }
  const step = lab.steps.find((one) => one.modes === undefined && looksAtRules(one))
  if (step !== undefined) return { reason: `the step "${step.name}" runs iptables`, path: step.path }
  if (lab.steps.length === 0 || lab.steps.some((one) => holdsIn(one, asked))) return undefined
  return { reason: 'all of its steps are about other modes', path: ['steps'] }
}

function holdsIn({ modes }: Step, mode: string): boolean {
  return modes === undefined || modes.some((one) => one === mode)
}

/**
 * The steps with the checks that apply in a mode: steps for other modes are skipped; if the lab was not written for the
 * requested mode, checks that do not apply are left out and counted.
 */
export function stepsInMode(
  lab: Pick<Lab, 'steps' | 'proxy'>,
  asked: ModeName | undefined,
  mode: string = asked ?? defaultMode.name,
): { readonly steps: readonly Step[]; readonly leftOut: number } {
  const foreignTo = asked === undefined || lab.proxy.mode === asked ? undefined : modeOf(asked)
  let leftOut = 0
  const steps = lab.steps.map((step) => {
    if (!holdsIn(step, mode)) return { ...step, leftOut: `it is about mode ${step.modes?.join(' and ')}` }
    // a step for one mode may check the rules of that mode
    if (foreignTo === undefined || step.modes?.length === 1) return step
    const kept = Object.entries(step.expect).filter(([key, value]) => !isForeignTo(foreignTo, key, value))
    leftOut += Object.keys(step.expect).length - kept.length
    return { ...step, expect: Object.fromEntries(kept) }
  })
  return { steps, leftOut }
}

/** Why a mode cannot serve the Services of a lab; undefined if it supports all their fields. */
export function whyUnsupported(mode: ProxyMode, { services }: Pick<Cluster, 'services'>): string | undefined {
  for (const service of services.filter(handlesService)) {
    const field = mode.unsupportedField(service)
    const { namespace = 'default', name } = service.metadata
    if (field !== undefined)
      return `Service ${namespace}/${name} has ${field}, which that mode does not support`
  }
  return undefined
}

/** Whether a step runs a command about the rules of one mode. */
function looksAtRules({ action }: Step): boolean {
  if (!isRequest(action) || action.kind !== 'command' || isOwnRule(action.argv)) return false
  return action.argv.some((word) => ofRules.test(word))
}

/** A step's own rule in INPUT affects packets in every mode. */
function isOwnRule([program = '', command = '', chain]: readonly string[]): boolean {
  return /^ip6?tables$/.test(program) && ['-A', '-I', '-D'].includes(command) && chain === 'INPUT'
}

/** Programs, and files under /proc, that show or change what mode iptables writes. */
const ofRules = /\bip6?tables|\bxt_recent\b/
