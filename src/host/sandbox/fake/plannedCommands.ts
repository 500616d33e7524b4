import { shellWord } from '../../../text/shellWord.js'
import type { CommandResult } from '../commandResult.js'
import type { CommandOptions } from '../commandOptions.js'
import type { StartOptions } from '../sandbox.js'

/** A command that a fake sandbox got: of `run` and `must`, or of `start`. */
export type FakeCommand =
  | { readonly by: 'run'; readonly argv: readonly string[]; readonly options: CommandOptions }
  | { readonly by: 'start'; readonly argv: readonly string[]; readonly options: StartOptions }

/**
 * Which command is planned: one with exactly these words, one whose words, joined by spaces, match an expression, or one for which a
 * function returns true.
 */
export type CommandMatcher =
  readonly string[] | RegExp | ((argv: readonly string[], options: CommandOptions | StartOptions) => boolean)

/** How a planned command ends; what is left out is that of a command that succeeds without output in 0 ms. */
export type PlannedResult = Partial<CommandResult>

/** The commands that a test expects. */
export interface PlannedCommands {
  /** Plans and takes commands of `run` or of `start`, each with what it does. */
  of<Action>(by: FakeCommand['by']): PlannedActions<Action>
  /** The planned commands that came, in their order. */
  readonly ran: readonly FakeCommand[]
  /** Throws Error if a command came that was not planned, or if a planned one did not come. */
  readonly assertDone: () => void
}

interface PlannedActions<Action> {
  /** Plans a command that comes a number of times; Infinity is any number, also none. */
  add(matcher: CommandMatcher, action: Action, times: number): void
  /** What the first plan that matches does, which is used up once. Throws Error if there is none. */
  take(command: FakeCommand): Action
}

interface Plan {
  readonly by: FakeCommand['by']
  readonly matcher: CommandMatcher
  left: number
}

/** No planned commands yet. */
export function plannedCommands(): PlannedCommands {
  const plans: Plan[] = []
  const ran: FakeCommand[] = []
  const notPlanned: string[] = []

  const refused = (command: FakeCommand) => {
    const fault = `not planned: ${commandText(command)}`
    notPlanned.push(fault)
    const left = plans.filter(({ left }) => left > 0).map((plan) => `  planned: ${planText(plan)}`)
    return new Error([fault, ...(left.length > 0 ? left : ['  nothing else is planned'])].join('\n'))
  }

  return {
    ran,
    of<Action>(by: FakeCommand['by']): PlannedActions<Action> {
      const actions = new Map<Plan, Action>()
      return {
        add(matcher, action, times) {
          const plan = { by, matcher, left: times }
          plans.push(plan)
          actions.set(plan, action)
        },
        take(command) {
          for (const [plan, action] of actions) {
            if (plan.left === 0 || !matches(plan.matcher, command)) continue
            plan.left -= 1
            ran.push(command)
            return action
          }
          throw refused(command)
        },
      }
    },
    assertDone() {
      const missed = plans
        .filter(({ left }) => left > 0 && left !== Infinity)
        .map((plan) => `planned, but did not come: ${planText(plan)}`)
      const faults = [...notPlanned, ...missed]
      if (faults.length > 0) throw new Error(faults.join('\n'))
    },
  }
}

function matches(matcher: CommandMatcher, { argv, options }: FakeCommand): boolean {
  if (typeof matcher === 'function') return matcher(argv, options)
  if (matcher instanceof RegExp) return argv.join(' ').search(matcher) >= 0
  return matcher.length === argv.length && matcher.every((word, index) => word === argv[index])
}

function planText({ by, matcher, left }: Plan): string {
  const text =
    typeof matcher === 'function'
      ? `what ${matcher.name === '' ? 'a function' : `the function ${matcher.name}`} accepts`
      : matcher instanceof RegExp
        ? String(matcher)
        : wordsText(matcher)
  const times = left === 1 ? '' : left === Infinity ? ', any number of times' : `, ${left} times`
  return `${by} ${text}${times}`
}

function commandText({ by, argv, options: { netns } }: FakeCommand): string {
  return `${by} ${wordsText(argv)}${netns === undefined ? '' : ` in netns ${netns}`}`
}

function wordsText(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./{}-]+$/.test(word) ? word : shellWord(word))).join(' ')
}
