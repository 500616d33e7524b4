import { makeLabGroup } from '../groups/labGroup.js'
import type { Finding } from './finding.js'

/** Whether labs get limits of memory and tasks: tried as labs do it. */
export async function limitsFinding(): Promise<Finding> {
  const group = makeLabGroup()
  const finding = {
    group: 'limits',
    name: 'limits',
    required: false,
    neededFor: 'limits of memory and processes of a lab',
  } as const
  if (typeof group !== 'string') {
    await group.remove()
    return { ...finding, status: 'ok' }
  }
  const outside = 'limit vethlab itself: systemd-run --scope -p MemoryMax=4G -p TasksMax=8192 vethlab …'
  const remedy = process.getuid?.() === 0 ? outside : `use sudo; ${outside}`
  return { ...finding, status: 'missing', detail: group, remedy }
}
