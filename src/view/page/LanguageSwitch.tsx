import { languages, type Language } from '../../text/language.js'
import { chooseLanguage, language, languageNames } from './language.js'

interface LanguageSwitchProps {
  readonly label: string
  /** What chooses the language; by default for this page, and in this browser. */
  readonly onChoose?: ((language: Language) => void) | undefined
}

/** A button for each language. */
export function LanguageSwitch({ label, onChoose = chooseLanguage }: LanguageSwitchProps) {
  return (
    <div class="switch" role="group" aria-label={label}>
      {languages.map((one) => (
        <button
          key={one}
          type="button"
          lang={one}
          aria-pressed={one === language.value}
          onClick={() => onChoose(one)}
        >
          {languageNames[one]}
        </button>
      ))}
    </div>
  )
}
