import type { ObjectWrite } from '../../apiserver/write/objectWrite.js'
import type { WriteResult } from '../../apiserver/write/writer.js'
import type { KubeObject } from '../../cluster/types.js'
import type { Certificate } from '../../ingress/model.js'
import type { LabContainer } from '../kubeApi/pods/labContainers.js'

/** The secrets of an API that serves writes. */
export interface ApiAccess extends Certificate {
  readonly token: string
}

/** The first line of the API process's standard input: what it serves. It listens when it has read it. */
export interface ApiStart extends ApiObjects {
  /** Objects that always exist. */
  readonly builtIn: readonly KubeObject[]
  /** Absent for a read-only API. */
  readonly access?: ApiAccess | undefined
}

/** A later line: all objects from now on. States are numbered in order. */
export interface ApiObjects {
  readonly objects: readonly KubeObject[]
  readonly state: number
}

/** A later line: the containers that run from now on. */
export interface ApiContainers {
  readonly containers: readonly LabContainer[]
}

/** A later line: the result of a write; the lines before it contain what it has changed. */
export interface ApiResult {
  readonly id: number
  readonly result: WriteResult
}

/** A line of its standard output, after `apiListens`: a write that is based on a state. */
export interface ApiWrite {
  readonly id: number
  readonly state: number
  readonly write: ObjectWrite
}

/** The first line that it writes to its standard output. */
export const apiListens = 'listening'
