import type { KubeObject } from '../types.js'

/** A cell of a Table. */
export type Cell = string | number | boolean

/** metav1.TableColumnDefinition and the value of its cells; priority 1 is shown only with `-o wide`. */
export interface Column<Kind extends KubeObject = KubeObject> {
  readonly name: string
  readonly type: 'string' | 'integer' | 'boolean'
  readonly format: '' | 'name'
  readonly description: string
  readonly priority: 0 | 1
  readonly cell: (object: Kind, now: Date) => Cell
}

/** A column that is always shown. */
export function column<Kind extends KubeObject>(
  name: string,
  description: string,
  cell: (object: Kind, now: Date) => Cell,
  type: Column['type'] = 'string',
): Column<Kind> {
  return { name, type, format: '', description, priority: 0, cell }
}

/** A column that is shown with `-o wide`. */
export function wideColumn<Kind extends KubeObject>(
  name: string,
  description: string,
  cell: (object: Kind, now: Date) => Cell,
): Column<Kind> {
  return { ...column(name, description, cell), priority: 1 }
}

/** The first column of nearly every kind. */
export const nameColumn: Column = {
  ...column(
    'Name',
    'name of the object, unique among its kind in its namespace',
    ({ metadata }) => metadata.name,
  ),
  format: 'name',
}

/** The time since the object was created. */
export const ageColumn: Column = column('Age', 'time since the object was created', ({ metadata }, now) =>
  since(metadata.creationTimestamp, now),
)

/** The time since a timestamp, in the format of kubectl. */
export function since(timestamp: string | undefined, now: Date): string {
  const then = timestamp === undefined ? NaN : Date.parse(timestamp)
  return Number.isNaN(then) ? '<unknown>' : duration((now.getTime() - then) / 1000)
}

/** Seconds in at most two units, like HumanDuration of apimachinery. */
export function duration(seconds: number): string {
  const whole = Math.trunc(seconds)
  if (whole < -1) return '<invalid>'
  if (whole < 0) return '0s'
  if (whole < 120) return `${whole}s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 10) return units(minutes, 'm', whole % 60, 's')
  if (minutes < 180) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 8) return units(hours, 'h', minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (days < 8) return units(days, 'd', hours % 24, 'h')
  if (days < 2 * 365) return `${days}d`
  const years = Math.floor(days / 365)
  return years < 8 ? units(years, 'y', days % 365, 'd') : `${years}y`
}

function units(large: number, unit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${unit}` : `${large}${unit}${small}${smallUnit}`
}
