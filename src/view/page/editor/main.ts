import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { EditorMaker, YamlEditor } from '../live/objects/yamlEditor.js'

/*
 * The script of editors: the page loads it with the first one, and calls the function that it leaves. Its colours are those of the page.
 */

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.content], color: 'var(--ink)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--snat)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--mute)' },
])

const theme = EditorView.theme({
  '&': { fontSize: '12.5px', color: 'var(--ink)', backgroundColor: 'var(--panel)' },
  '.cm-scroller': { fontFamily: 'ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace' },
  '.cm-gutters': { color: 'var(--mute)', backgroundColor: 'var(--chip)', border: '0' },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 8%, transparent)',
  },
  // the pictures of the package are not allowed by the content security policy
  '.cm-lint-marker-error': { content: '"✗"', color: 'var(--bad)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
})

const makeEditor: EditorMaker = ({ nonce, label, text, readOnly, onChange }): YamlEditor => {
  const view = new EditorView({
    state: EditorState.create({
      doc: text,
      extensions: [
        ...[EditorView.cspNonce.of(nonce), lineNumbers(), lintGutter(), history(), drawSelection(), yaml()],
        ...[syntaxHighlighting(colours), theme, highlightActiveLine(), indentUnit.of('  ')],
        // Tab leaves the editor, as it does everywhere else on the page
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
        EditorState.readOnly.of(readOnly),
        EditorView.contentAttributes.of({ 'aria-readonly': String(readOnly) }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString())
        }),
      ],
    }),
  })
  return {
    element: view.dom,
    show(next) {
      if (next === view.state.doc.toString()) return
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } })
    },
    mark(problems) {
      const diagnostics = problems.map(({ line, message }) => {
        const { from, to } = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines))
        return { from, to, severity: 'error' as const, message }
      })
      view.dispatch(setDiagnostics(view.state, diagnostics))
      const [first] = diagnostics
      if (first !== undefined)
        view.dispatch({ effects: EditorView.scrollIntoView(first.from, { y: 'center' }) })
    },
    remove: () => view.destroy(),
  }
}

globalThis.makeEditor = makeEditor
