import type { Cluster } from '../../cluster/types.js'
import { InputError, OwnModeError } from '../../errors.js'
import type { ModeName } from '../../proxy/config.js'
import type { ProxyMode } from '../../proxy/mode.js'
import { defaultMode, modeOf } from '../../proxy/modes.js'
import { handlesService } from '../../proxy/servicePort.js'
import { isForeignTo } from './claimsInMode.js'
import { isRequest } from '../file/toStep.js'
import type { Lab, Step } from '../types.js'

/**
 * The mode of the lab's kube-proxies: that asked for, or the lab's own; undefined where nobody says. Throws OwnModeError
 * where the mode that is asked for would make the lab say what is not so, InputError where its own does.
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

/** Why a lab says nothing, or the wrong thing, in a mode; undefined where it can be run in it. */
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
 * The steps as they can be judged in a mode: those about other modes are not carried out; where the mode was asked of a
 * lab that was not written for it, claims that say nothing there are left out, and how many were is told.
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
    // one mode's step speaks of that mode's rules; what holds in several cannot
    if (foreignTo === undefined || step.modes?.length === 1) return step
    const kept = Object.entries(step.expect).filter(([key, value]) => !isForeignTo(foreignTo, key, value))
    leftOut += Object.keys(step.expect).length - kept.length
    return { ...step, expect: Object.fromEntries(kept) }
  })
  return { steps, leftOut }
}

/** Why Services of a lab would not be served in a mode as they request; undefined where the mode ignores nothing. */
export function whyUnsupported(mode: ProxyMode, { services }: Pick<Cluster, 'services'>): string | undefined {
  for (const service of services.filter(handlesService)) {
    const field = mode.unsupportedField(service)
    const { namespace = 'default', name } = service.metadata
    if (field !== undefined) return `Service ${namespace}/${name} has ${field}, which that mode lacks`
  }
  return undefined
}

/** Whether what a step runs holds for the rules of one mode only. */
function looksAtRules({ action }: Step): boolean {
  if (!isRequest(action) || action.kind !== 'command' || isOwnRule(action.argv)) return false
  return action.argv.some((word) => ofRules.test(word))
}

/** A rule of a step's own in INPUT is in the way of packets in every mode. */
function isOwnRule([program = '', command = '', chain]: readonly string[]): boolean {
  return /^ip6?tables$/.test(program) && ['-A', '-I', '-D'].includes(command) && chain === 'INPUT'
}

/** Programs, and files under /proc, that show or change what mode iptables writes. */
const ofRules = /\bip6?tables|\bxt_recent\b/
