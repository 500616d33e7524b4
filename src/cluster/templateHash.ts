import { withoutDefaults } from './defaults/pod.js'
import { canonicalJson, fnv32a, safeDigits } from './hash.js'
import type { PodTemplate } from './types.js'

/** Nine or ten characters for a pod template: the same for equal templates (pod-template-hash). */
export function templateHash(template: PodTemplate): string {
  return safeDigits(fnv32a(canonicalJson(withoutDefaults(template))))
}
