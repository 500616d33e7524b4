import { signal } from '@preact/signals'
import type { IpFamily } from '../../../../net/ipFamily.js'

/** What the pane of the rules shows; kept while another pane is shown. */
export const family = signal<IpFamily | undefined>(undefined)
export const search = signal('')
/** The Service port whose rules are shown; empty for all. */
export const object = signal('')
/** The mode that is compared; empty for none. */
export const other = signal('')
/** Whether rules are shown as the tool prints them. */
export const isFull = signal(false)
