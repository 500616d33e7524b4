import { ageColumn, column, nameColumn } from '../columns/column.js'
import { controllerOf } from '../owners.js'
import type { ControllerRevision } from '../types.js'
import { defineResource } from './kind.js'

/** ControllerRevision of apps/v1, read-only; columns as printControllerRevision of Kubernetes v1.36 writes them. */
export const controllerRevision = defineResource<ControllerRevision>({
  group: 'apps',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  blank: { data: null, revision: 0 },
  columns: [
    nameColumn,
    column('Controller', 'StatefulSet or DaemonSet that it belongs to', ({ metadata }) => {
      const owner = controllerOf(metadata)
      if (owner === undefined) return '<none>'
      const group = owner.apiVersion.replace(/\/.*/, '')
      return `${owner.kind.toLowerCase()}.${group}/${owner.name}`
    }),
    column('Revision', 'number of the template', ({ revision }) => revision, 'integer'),
    ageColumn,
  ],
})
