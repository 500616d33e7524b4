import { signal } from '@preact/signals'

/** True while the page is printed: then it is a plain document with everything. */
export const printing = signal(false)
addEventListener('beforeprint', () => (printing.value = true))
addEventListener('afterprint', () => (printing.value = false))
