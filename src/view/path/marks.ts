import { groupBy } from '../../groupBy.js'
import type { Point, Station } from './route.js'

/** The stations of one direction on one host, drawn as one mark: marks of their own would hide each other. */
export interface Mark {
  readonly point: Point
  readonly direction: Station['direction']
  /** What it lists, counted from 1: those of its stations, with `…` for more than there is room for. */
  readonly label: string
  /** The station whose colour it has: the one that is shown, or its first. */
  readonly station: Station
  readonly isNow: boolean
  /** Its stations in order, as hops of the frames. */
  readonly hops: readonly number[]
}

/** More numbers in a mark hide what is beside it. */
const mostNumbers = 4

/** The marks of a path; the hop is the one that is shown, whose mark is last, so that it is drawn above the others. */
export function marksOf(stations: readonly Station[], hop: number | undefined): Mark[] {
  const numbered = stations.map((station, index) => ({ station, number: index + 1 }))
  const keyOf = ({ point, direction }: Station) => `${point.x} ${point.y} ${direction}`
  const marks = [...groupBy(numbered, ({ station }) => keyOf(station)).values()].flatMap((own): Mark[] => {
    const now = own.find(({ station }) => station.hop === hop)
    const shown = now ?? own[0]
    if (shown === undefined) return []
    const { station } = shown
    const numbers = own.map(({ number }) => number)
    const hops = own.map((one) => one.station.hop)
    const { point, direction } = station
    return [
      { point, direction, label: labelOf(numbers, now?.number), station, isNow: now !== undefined, hops },
    ]
  })
  return marks.toSorted((a, b) => Number(a.isNow) - Number(b.isNow))
}

/** The first numbers and the last one, among them the one that is shown. */
function labelOf(numbers: readonly number[], now: number | undefined): string {
  if (numbers.length <= mostNumbers) return numbers.join(' ')
  const first = numbers.slice(0, mostNumbers - 2)
  const last = numbers.at(-1)
  const shown = now === undefined || first.includes(now) || now === last ? [] : [now]
  return [...first, ...shown, '…', last].join(' ')
}

/** The hop that choosing a mark shows: its next one after the hop that is shown, or its first. */
export function nextOf({ hops }: Mark, hop: number | undefined): number | undefined {
  return hops.find((one) => hop !== undefined && one > hop) ?? hops[0]
}
