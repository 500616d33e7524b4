import type { Secret } from '../../cluster/types.js'
import type { Describer } from './describer.js'

/** A Secret: its type and the size of each key, never the values. */
export const secretDescriber: Describer<Secret> = {
  kind: 'Secret',
  needs: [],
  describe({ type = 'Opaque', data = {} }) {
    const rows = Object.entries(data).map(([key, value]) => [
      key,
      `${Buffer.from(value, 'base64').length} bytes`,
    ])
    return { fields: [['Type', type]], sections: [{ heading: 'Data', rows: [['Key', 'Size'], ...rows] }] }
  },
}
