import { languages, type Language } from './types.js'

/** The language that a user's environment asks for, in the order of POSIX: LC_ALL, LC_MESSAGES, LANG; English otherwise. */
export function languageOf(env: Readonly<Record<string, string | undefined>>): Language {
  const [locale = ''] = [env['LC_ALL'], env['LC_MESSAGES'], env['LANG']].filter(Boolean)
  return languages.find((language) => locale.split(/[_.@-]/)[0]?.toLowerCase() === language) ?? 'en'
}
