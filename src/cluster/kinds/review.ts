import { defineResource } from './kind.js'

const shared = { namespaced: false, verbs: ['create'] }

/** SelfSubjectReview of authentication.k8s.io/v1: who the client is. */
export const selfSubjectReview = defineResource({
  ...shared,
  group: 'authentication.k8s.io',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
})

/** SelfSubjectAccessReview of authorization.k8s.io/v1: whether the client may do something. */
export const selfSubjectAccessReview = defineResource({
  ...shared,
  group: 'authorization.k8s.io',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
})

/** SelfSubjectRulesReview of authorization.k8s.io/v1: everything that the client may do in a namespace. */
export const selfSubjectRulesReview = defineResource({
  ...shared,
  group: 'authorization.k8s.io',
  kind: 'SelfSubjectRulesReview',
  plural: 'selfsubjectrulesreviews',
})
