import { loadScript } from '../loadScript.js'
import type { FieldProblem } from './fieldProblems.js'

/** An editor for one text, with line numbers and colours. */
export interface YamlEditor {
  readonly element: HTMLElement
  /** Replaces the text, if it differs. */
  show(text: string): void
  /** Marks lines, and shows the first of them; none for no problems. */
  mark(problems: readonly FieldProblem[]): void
  remove(): void
}

export interface EditorOptions {
  /** Of the content security policy, for its styles. */
  readonly nonce: string
  readonly label: string
  readonly text: string
  readonly readOnly: boolean
  readonly onChange: (text: string) => void
}

export type EditorMaker = (options: EditorOptions) => YamlEditor

declare global {
  /** What the script of editors leaves. */
  var makeEditor: EditorMaker | undefined
}

/** Makes an editor; the first call loads the script. Throws Error if it cannot be loaded. */
export async function newEditor(options: Omit<EditorOptions, 'nonce'>): Promise<YamlEditor> {
  const nonce = document.querySelector('script')?.nonce ?? ''
  const make = await loadScript('/editor.js', nonce, () => globalThis.makeEditor)
  return make({ ...options, nonce })
}
