import { groupBy } from '../../../groupBy.js'
import type { LiveLab } from '../../live/api.js'
import { titleOf } from '../../path/layout.js'

interface PlaceSelectProps {
  readonly lab: LiveLab
  /** A network namespace. */
  readonly value: string | undefined
  readonly onChoose: (netns: string) => void
}

const kinds = { node: 'Nodes', pod: 'Pods', client: 'Clients' } as const

/** Chooses a node, pod or client. */
export function PlaceSelect({ lab: { places }, value, onChoose }: PlaceSelectProps) {
  const groups = groupBy(Object.entries(places), ([, { kind }]) => kind)
  return (
    <label>
      Place
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {[...groups].map(([kind, own]) => (
          <optgroup key={kind} label={kinds[kind]}>
            {own.map(([netns, { name, namespace = 'default' }]) => (
              <option key={netns} value={netns}>
                {titleOf({ name, namespace })}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  )
}
