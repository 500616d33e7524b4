import { useRef } from 'preact/hooks'
import type { NodeRules } from '../../../live/api.js'

/** The ids of the rules that have matched packets since the answer before. */
export function useMoved(rules: NodeRules | undefined): ReadonlySet<string> {
  const last = useRef<{ readonly rules: NodeRules | undefined; readonly moved: ReadonlySet<string> }>(nothing)
  const { rules: before, moved } = last.current
  if (rules === before || rules === undefined) return moved
  const isSame = before?.node === rules.node && before.family === rules.family
  const counts = new Map(isSame ? countsOf(before) : [])
  const next = countsOf(rules).filter(([id, packets]) => packets > (counts.get(id) ?? packets))
  last.current = { rules, moved: new Set(next.map(([id]) => id)) }
  return last.current.moved
}

const nothing = { rules: undefined, moved: new Set<string>() }

function countsOf({ chains }: NodeRules): (readonly [id: string, packets: number])[] {
  return chains.flatMap(({ rules }) =>
    rules.flatMap(({ id, packets }) => (packets === undefined ? [] : [[id, packets] as const])),
  )
}
