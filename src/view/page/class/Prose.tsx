import { useState } from 'preact/hooks'
import { commandAction } from './commandAction.js'
import { runCommand } from './runCommand.js'
import { say } from './language.js'
import { proseOf } from './proseBlocks.js'
import { workspaceLab } from './workspace/Workspace.js'

/** A task, a hint or a reason: its commands run in the terminals of the lab by a click. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <div class="prose">
      {proseOf(text).map((block, index) =>
        block.kind === 'commands' ? (
          <Commands key={index} lines={block.lines} />
        ) : (
          <p key={index}>
            {block.pieces.map((piece, at) =>
              piece.isCode ? <Code key={at} text={piece.text} isLine={false} /> : piece.text,
            )}
          </p>
        ),
      )}
    </div>
  )
}

/** Lines of commands, each with a button that copies it. */
export function Commands({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul class="commands">
      {lines.map((line, index) => (
        <li key={index}>
          <Code text={line} isLine />
          <Copy text={line} />
        </li>
      ))}
    </ul>
  )
}

/** A command that a click carries out; or just code. */
function Code({ text, isLine }: { readonly text: string; readonly isLine: boolean }) {
  const action = commandAction(text, isLine)
  if (action === undefined || (workspaceLab.value === undefined && action.kind !== 'exercise'))
    return <code>{text}</code>
  const { run, type, show } = say.value
  const title =
    action.kind === 'type'
      ? action.runs
        ? run(action.text)
        : type(action.text)
      : action.kind === 'rules' || action.kind === 'pane'
        ? show(text)
        : run(text)
  return (
    <button type="button" class="command" title={title} onClick={() => void runCommand(action)}>
      <code>{text}</code>
    </button>
  )
}

function Copy({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false)
  return (
    <button
      type="button"
      class="copy"
      aria-label={`${isCopied ? say.value.copied : say.value.copy}: ${text}`}
      onClick={() => {
        void copyText(text).then(() => {
          setCopied(true)
          setTimeout(() => setCopied(false), 1500)
        })
      }}
    >
      {isCopied ? say.value.copied : say.value.copy}
    </button>
  )
}

/** Copies also where the clipboard API is missing: on a page that is served without TLS to other hosts. */
async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
