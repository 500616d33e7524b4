import { signal } from '@preact/signals'

/** Texts that were edited and not saved, by object: they stay while another pane is shown. */
export const drafts = signal<ReadonlyMap<string, string>>(new Map())

/** Keeps a text, or forgets it. */
export function keepDraft(name: string, text: string | undefined): void {
  const others = [...drafts.peek()].filter(([one]) => one !== name)
  drafts.value = new Map(text === undefined ? others : [...others, [name, text]])
}
