import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import css from '@xterm/xterm/css/xterm.css'
import type { Screen, ScreenColours, ScreenMaker } from '../live/terminal/screen.js'

/*
 * The script of terminals: the page loads it with the first one, and calls the function that it leaves. What a terminal prints
 * is given to xterm.js only, which draws it as text.
 */

const sheet = new CSSStyleSheet()
sheet.replaceSync(css)
document.adoptedStyleSheets.push(sheet)

const makeScreen: ScreenMaker = (nonce, colours, label): Screen => {
  const element = document.createElement('div')
  element.className = 'screen'
  const terminal = new Terminal({
    ...{ cursorBlink: false, fontSize: 13, scrollback: 5000, minimumContrastRatio: 4.5 },
    fontFamily: 'ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace',
    theme: themeOf(colours),
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  let isOpen = false
  return {
    element,
    get size() {
      return { rows: terminal.rows, columns: terminal.cols }
    },
    show() {
      if (!isOpen) withNonce(nonce, () => terminal.open(element))
      isOpen = true
      terminal.textarea?.setAttribute('aria-label', label)
      fit.fit()
    },
    focus: () => terminal.focus(),
    print: (bytes) => new Promise((resolve) => terminal.write(bytes, resolve)),
    onType: (handle) => void terminal.onData(handle),
    onResize: (handle) => void terminal.onResize(({ rows, cols }) => handle({ rows, columns: cols })),
    onLeave(handle) {
      terminal.attachCustomKeyEventHandler(({ type, key }) => {
        if (key !== 'F6') return true
        if (type === 'keydown') handle()
        return false
      })
    },
    readAloud: (on) => void (terminal.options.screenReaderMode = on),
    colour: (next) => void (terminal.options.theme = themeOf(next)),
    remove() {
      terminal.dispose()
      element.remove()
    },
  }
}

function themeOf({ ink, panel }: ScreenColours) {
  return {
    foreground: ink,
    background: panel,
    cursor: ink,
    cursorAccent: panel,
    selectionBackground: '#8886',
  }
}

/** Lets style elements that are made meanwhile take effect: the content security policy allows those with the nonce. */
function withNonce(nonce: string, make: () => void): void {
  // an own property hides the method
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = Document.prototype.createElement.call(document, name, options)
    if (name === 'style') element.nonce = nonce
    return element
  }
  try {
    make()
  } finally {
    Reflect.deleteProperty(document, 'createElement')
  }
}

globalThis.makeScreen = makeScreen
