import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { fieldProblems } from './fieldProblems.js'
import { newEditor, type YamlEditor } from './yamlEditor.js'

interface YamlFieldProps {
  readonly label: string
  readonly text: string
  readonly readOnly?: boolean
  /** What the API says is wrong with it; empty for nothing. */
  readonly problem: string
  readonly onText: (text: string) => void
}

/** A text in YAML with line numbers and colours, and what is wrong at its line; a plain field if the editor cannot be loaded. */
export function YamlField({ label, text, readOnly = false, problem, onText }: YamlFieldProps) {
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<YamlEditor | undefined>(undefined)
  const onChange = useRef(onText)
  onChange.current = onText
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading')
  useEffect(() => {
    let isGone = false
    newEditor({ label, text, readOnly, onChange: (next) => onChange.current(next) }).then(
      (made) => {
        if (isGone) return made.remove()
        editor.current = made
        place.current?.replaceChildren(made.element)
        setState('loaded')
      },
      () => setState('failed'),
    )
    return () => {
      isGone = true
      editor.current?.remove()
    }
  }, [])
  // before the next key: an effect after the frame would put back the text of an earlier key
  useLayoutEffect(() => editor.current?.show(text), [text, state])
  useEffect(() => editor.current?.mark(fieldProblems(text, problem)), [problem, state])
  if (state === 'failed')
    return (
      <textarea
        class="mono"
        aria-label={label}
        rows={Math.min(28, text.split('\n').length + 1)}
        value={text}
        spellcheck={false}
        readOnly={readOnly}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
    )
  return <div class="yaml" ref={place} />
}
