import { ageColumn, column, nameColumn } from '../../columns/column.js'
import { defaultListenerSet } from '../../defaults/gateway.js'
import { listenerSetSchema } from '../../schema/gateway.js'
import type { ListenerSet } from '../../types/gateway.js'
import { validateListenerSet } from '../../validation/gateway/gateway.js'
import { gatewayApiFields, statusOf } from './gatewayApi.js'
import { defineKind } from '../kind.js'

/** ListenerSet of gateway.networking.k8s.io/v1 with the CRD's columns. */
export const listenerSet = defineKind<ListenerSet>({
  ...gatewayApiFields,
  plural: 'listenersets',
  shortNames: ['lset'],
  list: 'listenerSets',
  schema: listenerSetSchema,
  setDefaults: defaultListenerSet,
  validate: validateListenerSet,
  columns: [
    nameColumn,
    column('Accepted', 'whether its Gateway accepts it', ({ status }) =>
      statusOf(status?.conditions, 'Accepted'),
    ),
    column('Programmed', 'whether the proxy serves it', ({ status }) =>
      statusOf(status?.conditions, 'Programmed'),
    ),
    ageColumn,
  ],
})
