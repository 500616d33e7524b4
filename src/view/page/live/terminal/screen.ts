import type { TerminalSize } from '../../../live/api.js'
import { loadScript } from '../loadScript.js'

/** A terminal as it is drawn. */
export interface Screen {
  readonly element: HTMLElement
  readonly size: TerminalSize
  /** Draws it in its element, which is in the page, and as large as the element. */
  show(): void
  focus(): void
  /** Resolves when the bytes are drawn: more are read then. */
  print(bytes: Uint8Array): Promise<void>
  onType(handle: (text: string) => void): void
  onResize(handle: (size: TerminalSize) => void): void
  /** Called for F6, which leaves the terminal: Tab goes to the shell. */
  onLeave(handle: () => void): void
  /** Has screen readers say what is printed. */
  readAloud(on: boolean): void
  colour(colours: ScreenColours): void
  remove(): void
}

/** Colours of CSS. */
export interface ScreenColours {
  readonly ink: string
  readonly panel: string
}

export type ScreenMaker = (nonce: string, colours: ScreenColours, label: string) => Screen

declare global {
  /** What the script of terminals leaves. */
  var makeScreen: ScreenMaker | undefined
}

/** Makes a screen; the first call loads the script. Throws Error if it cannot be loaded. */
export async function newScreen(label: string): Promise<Screen> {
  const nonce = document.querySelector('script')?.nonce ?? ''
  const make = await loadScript('/terminal.js', nonce, () => globalThis.makeScreen)
  return make(nonce, screenColours(), label)
}

/** The colours of the page, which follow those of the system. */
export function screenColours(): ScreenColours {
  const style = getComputedStyle(document.documentElement)
  return { ink: style.getPropertyValue('--ink').trim(), panel: style.getPropertyValue('--panel').trim() }
}
