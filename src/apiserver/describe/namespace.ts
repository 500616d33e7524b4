import type { Namespace } from '../../cluster/types.js'
import type { Describer } from './describer.js'

/** A Namespace: its phase. A lab has no quotas and limits, and kubectl prints no events of it. */
export const namespaceDescriber: Describer<Namespace & { readonly status?: { readonly phase?: string } }> = {
  kind: 'Namespace',
  needs: [],
  withoutEvents: true,
  describe: ({ status }) => ({
    fields: [['Status', status?.phase ?? 'Active']],
    sections: [{ lines: ['No resource quota.'] }, { lines: ['No LimitRange resource.'] }],
  }),
}
