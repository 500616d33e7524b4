import type { End } from '../model/steps.js'
import type { Choices, Option, Question } from './choices.js'

/** A packet that is sent after the first ones of a connection. */
export type LaterPacket = 'ack' | 'data' | 'answer'

/** Follows a packet, and says how it ends: `answered` if it arrives. */
export type Follow = (packet: LaterPacket) => End

/** Conditions that can hold for one packet of a connection and not for another. */
const perPacket =
  /length|limit|statistic|counter|u32|string|bpf|bytes|packets|quota|window|sequence|doff|option|random|time to live/

/**
 * How a connection of TCP fails that has opened, because of its later packets: the third of the handshake, and data in both
 * directions. A packet that is lost by chance is sent again. Undefined if they pass.
 */
export function endOfLater(
  caller: string,
  follow: Follow,
  choices: Choices,
  withState: <T>(run: () => T) => T,
): End | undefined {
  const fixed = new Map<string, number>()
  // a random choice of many endpoints is one of many questions, and few paths ask again
  let before: ReadonlyMap<string, number | undefined> | undefined
  const takenBefore = () =>
    (before ??= new Map(
      choices.taken.map(({ index, choice }) => [
        keyOf(choice),
        perPacket.test(choice.question) ? undefined : index,
      ]),
    ))
  for (;;) {
    const asked = new Map<string, { readonly question: Question; readonly options: readonly Option[] }>()
    const run = (other: (key: string) => boolean) =>
      withState(() =>
        choices.aside(
          (question, options) => {
            const key = keyOf(question)
            const known = fixed.get(key) ?? takenBefore().get(key)
            if (known !== undefined) return known
            if (question.kind === 'random') return options.length - 1
            asked.set(key, { question, options })
            return other(key) ? 0 : options.length - 1
          },
          () => failure(caller, follow),
        ),
      )
    const usual = run(() => false)
    const isOther = (end: End | undefined) => (end === undefined) !== (usual === undefined)
    const keys = [...asked.keys()]
    const decisive =
      keys.find((key) => isOther(run((one) => one === key))) ??
      (isOther(run(() => true)) ? keys[0] : undefined)
    const open = decisive === undefined ? undefined : asked.get(decisive)
    if (decisive === undefined || open === undefined) return usual
    const { question, options } = open
    fixed.set(
      decisive,
      choices.take(
        { ...question, question: `${question.question} (for a later packet of the connection)` },
        options,
      ),
    )
  }
}

function keyOf({ place, question }: Pick<Question, 'place' | 'question'>): string {
  return `${place} ${question}`
}

function failure(caller: string, follow: Follow): End | undefined {
  let racing: End | undefined
  for (const packet of ['ack', 'data', 'answer'] as const) {
    const reached = follow(packet)
    if (reached.kind === 'answered') continue
    const resets = reached.rejects?.includes('reset') === true && packet !== 'answer'
    // without data, the third packet of the handshake changes nothing: the first data have its flag too
    if (packet === 'ack' && !resets) {
      // a program that asks for the result of connect(2) may find the error of its own host (SO_ERROR, sk_err_soft of Linux)
      if (reached.rejects !== undefined && reached.place === caller) racing = reached
      continue
    }
    const got = racing === undefined ? callerOf(reached, resets) : 'unknown'
    return { ...reached, later: true, reason: reasonOf(packet, reached), caller: got }
  }
  return racing && { ...racing, later: true, reason: reasonOf('ack', racing), caller: 'unknown' }
}

function reasonOf(packet: LaterPacket, { reason }: End): string {
  const what = {
    ack: 'the third packet of its handshake',
    data: 'what the caller sends',
    answer: 'the answer',
  }
  return `the connection opens, but ${what[packet]} does not pass: ${reason}`
}

/** An error of ICMP ends no connection that is open; a reset does. */
function callerOf({ kind }: End, resets: boolean): End['caller'] {
  if (kind === 'untraceable') return 'unknown'
  return resets ? 'reset' : 'timeout'
}

/** How a request ends whose answer is lost, and that is sent again; undefined if the caller gets nothing about it either. */
export function endOfRepeated(
  opened: End,
  repeat: () => End,
  choices: Choices,
  withState: <T>(run: () => T) => T,
): End | undefined {
  const before = new Map(choices.taken.map(({ index, choice }) => [keyOf(choice), index]))
  const run = (isOther: boolean) =>
    withState(() =>
      choices.aside((question, options) => {
        const known = before.get(keyOf(question))
        if (known !== undefined && !perPacket.test(question.question)) return known
        return isOther ? 0 : options.length - 1
      }, repeat),
    )
  const [usual, other] = [run(false), run(true)]
  if (usual.caller === 'timeout' && other.caller === 'timeout') return undefined
  const caller = usual.caller === other.caller ? usual.caller : 'unknown'
  const decisive = usual.caller === 'timeout' ? other : usual
  return { ...opened, reason: `${opened.reason}; the request is sent again: ${decisive.reason}`, caller }
}
