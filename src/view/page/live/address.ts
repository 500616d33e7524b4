import { effect, signal } from '@preact/signals'
import { frames, goTo, moment } from '../exchange.js'
import { connection, lab, pane, place, requests, shownRequest, showRequest } from './state.js'

/** Whether the page is a part of another one. */
export const isFramed = window.parent !== window

/** What the address names and the lab does not have; empty if it has everything. */
export const unknownAddress = signal('')

const panes = ['path', 'rules', 'place', 'objects', 'packets', 'terminal']

/**
 * Shows what the address names now, and each time it changes: a pane, and a place by its name or a request with a moment:
 * `#rules/node-a`, `#path/3/5`. What it does not know, it reports.
 */
export function followAddress(): void {
  const show = () => {
    const [wanted = '', name = '', at = ''] = location.hash.slice(1).split('/').map(decodeURIComponent)
    if (wanted === '' || location.hash === written) return
    unknownAddress.value = panes.includes(wanted) ? '' : `pane ${wanted}`
    if (!panes.includes(wanted)) return
    pane.value = wanted
    if (name !== '') once(() => (wanted === 'path' ? findRequest(name, at) : findPlace(name)))
  }
  addEventListener('hashchange', show)
  show()
  keepAddress()
}

/** Calls a function when the lab and its requests are known, and again until it has found something or nothing is to come. */
function once(find: () => boolean): void {
  const stop = effect(() => {
    if (lab.value === undefined || connection.value === 'connecting') return
    void requests.value
    if (find()) queueMicrotask(() => stop())
  })
}

function findPlace(name: string): boolean {
  const places = Object.entries(lab.peek()?.places ?? {})
  const found = places.find(([netns, one]) => netns === name || one.name === name)
  if (found !== undefined) place.value = found[0]
  unknownAddress.value = found === undefined ? `place ${name}` : ''
  return true
}

function findRequest(id: string, at: string): boolean {
  const found = requests.peek().find((one) => String(one.id) === id)
  unknownAddress.value = found === undefined ? `request ${id}` : ''
  if (found === undefined) return false
  void showRequest(found.id).then(() => {
    const index = Number(at) - 1
    if (at === '') return
    if (Number.isInteger(index) && index >= 0 && index < frames.peek().length) goTo(index)
    else unknownAddress.value = `moment ${at}`
  })
  return true
}

/** The address that was written last: following it changes nothing. */
let written = ''

/** Writes what is shown into the address, without an entry in the history. */
function keepAddress(): void {
  let isFirst = true
  effect(() => {
    const name = pane.value === 'path' ? shownRequest.value : lab.value?.places[place.value ?? '']?.name
    const at = pane.value === 'path' && name !== undefined && moment.value > 0 ? [moment.value + 1] : []
    const address = `#${[pane.value, ...(name === undefined ? [] : [name]), ...at].map(encodeURIComponent).join('/')}`
    // what the address names is found later
    if (isFirst || address === location.hash || (address === '#path' && location.hash === '')) {
      isFirst = false
      return
    }
    if (unknownAddress.peek() !== '' || location.hash.startsWith(`${address}/`)) return
    written = address
    history.replaceState(null, '', address)
  })
}
