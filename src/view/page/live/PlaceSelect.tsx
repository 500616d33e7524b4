import { groupBy } from '../../../groupBy.js'
import type { LiveLab } from '../../live/api.js'
import { titleOf } from '../../path/layout.js'
import { say } from '../texts/say.js'

interface PlaceSelectProps {
  readonly lab: LiveLab
  /** A network namespace. */
  readonly value: string | undefined
  readonly onChoose: (netns: string) => void
}

/** Chooses a node, pod or client. */
export function PlaceSelect({ lab: { places }, value, onChoose }: PlaceSelectProps) {
  const groups = groupBy(Object.entries(places), ([, { kind }]) => kind)
  return (
    <label>
      {say.value.place}
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {[...groups].map(([kind, own]) => (
          <optgroup key={kind} label={say.value.kinds[kind]}>
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
