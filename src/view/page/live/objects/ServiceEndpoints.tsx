import { lab } from '../state.js'
import { Table } from '../Table.js'
import { useAnswer } from '../useAnswer.js'
import { say } from '../../texts/say.js'

interface EndpointSliceList {
  readonly items: readonly {
    readonly metadata: { readonly name: string }
    readonly ports?: readonly { readonly name?: string; readonly port?: number }[] | null
    readonly endpoints?:
      | readonly {
          readonly addresses: readonly string[]
          readonly conditions?: Readonly<Partial<Record<'ready' | 'serving' | 'terminating', boolean>>>
          readonly nodeName?: string
          readonly targetRef?: { readonly name?: string }
        }[]
      | null
  }[]
}

/** The endpoints of a Service, from its EndpointSlices. */
export function ServiceEndpoints({
  namespace,
  service,
}: {
  readonly namespace: string
  readonly service: string
}) {
  const slices = `/kubernetes/apis/discovery.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/endpointslices`
  const selector = encodeURIComponent(`kubernetes.io/service-name=${service}`)
  const [{ value, error }] = useAnswer<EndpointSliceList>(`${slices}?labelSelector=${selector}`, lab)
  if (error !== '') return <p class="bad">{error}</p>
  const rows = (value?.items ?? []).flatMap(({ metadata, ports, endpoints }) =>
    (endpoints ?? []).map(({ addresses, conditions = {}, nodeName = '', targetRef }) => [
      <code>{addresses.join(', ')}</code>,
      (ports ?? []).map(({ port }) => port).join(', '),
      targetRef?.name ?? '',
      nodeName,
      <span class={conditions.ready === true ? '' : 'bad'}>
        {(['ready', 'serving', 'terminating'] as const)
          .filter((one) => conditions[one] === true)
          .join(', ') || 'not ready'}
      </span>,
      metadata.name,
    ]),
  )
  return (
    <Table
      label={say.value.endpointsOf(service)}
      columns={say.value.endpointColumns}
      rows={rows}
      none={say.value.noEndpoint}
    />
  )
}
