import type { ComponentChildren } from 'preact'
import type { Language } from '../../../text/language.js'
import { LanguageSwitch } from '../LanguageSwitch.js'
import { connection, ending } from './follow.js'
import { say } from './language.js'

interface HeaderProps {
  readonly title: string
  /** Beside the title. */
  readonly facts?: ComponentChildren
  /** What chooses the language; by default for this browser. */
  readonly onLanguage?: (language: Language) => void
  /** Buttons. */
  readonly children?: ComponentChildren
}

/** The bar at the top: the class, the language, and whether what is shown is current. */
export function Header({ title, facts, onLanguage, children }: HeaderProps) {
  const state = connection.value
  const isBad = state === 'lost' || state === 'closed' || state === 'ended'
  return (
    <header class="bar">
      <span class="brand">vethlab</span>
      <h1 class="facts">{title}</h1>
      <span class="facts mute">{facts}</span>
      <span class="grow" />
      {children}
      <span class={`connection ${isBad ? 'bad' : 'mute'}`} role="status">
        {say.value.connection[state]}
        {state === 'ended' && ending.value !== '' ? `: ${ending.value}` : ''}
      </span>
      <LanguageSwitch label={say.value.language} onChoose={onLanguage} />
    </header>
  )
}
