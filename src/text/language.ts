/** Languages of answers that explain, of `workshop`, of the pages in a browser and the pictures of labs; the rest is English. */
export const languages = ['en', 'ko'] as const

export type Language = (typeof languages)[number]

/** The language of the user's environment, in the order of POSIX: LC_ALL, LC_MESSAGES, LANG. English by default. */
export function languageOf(env: Readonly<Record<string, string | undefined>>): Language {
  const [locale = ''] = [env['LC_ALL'], env['LC_MESSAGES'], env['LANG']].filter(Boolean)
  return languages.find((language) => locale.split(/[_.@-]/)[0]?.toLowerCase() === language) ?? 'en'
}
