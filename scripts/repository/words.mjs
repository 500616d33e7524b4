// Words that make English text hard to read for engineers who are not native speakers, or for which the field has a
// better one. Names in code are text too: `toldBy` is found as `told`. Phrases that cross a line end are not found.

/** What is found, what to write instead, and why. */
const rules = [
  ['tells?|told|telling', 'prints, reports, shows, logs', 'programs do not talk'],
  ['anew', 'again, from scratch', 'literary'],
  ['mend(s|ed|ing)?', 'fix, repair', 'literary'],
  ['lest', 'so that … not', 'literary'],
  ['who(so)?ever|whom(ever)?', 'the client, the caller, you', 'name who it is'],
  ['unless (told|asked)( otherwise)?', 'by default', 'the standard phrase'],
  ['(comes?|came|coming) down to', 'becomes, translates to', 'vague'],
  ['becomes? of|became of', 'what happens to', 'literary'],
  ["one['’]s own", 'your own, custom', 'literary'],
  ['thr(ow|own|owing|ows) of dice', 'a random choice', 'a metaphor'],
  ['(see|sees|seen|saw|seeing) to (it|that)', 'make sure', 'an idiom'],
  ['at rest', 'settled', 'settled is the word of this project'],
  ['le(ave|aves|aving|ft) word', 'notify', 'an idiom'],
  ['(?<!-)save for|but for', 'except', 'literary'],
  ['ways? back', 'return path', 'the standard term'],
  ['deeds?|obedience', "handler, action, the field's word", 'literary'],
  ['spoilt', 'invalid, unusable', 'literary'],
  ['whilst|thus|hence|hereby|thereof|wherein|hitherto', 'so, where, until now', 'literary'],
].map(([pattern, instead, why]) => ({ pattern: new RegExp(`\\b(?:${pattern})\\b`, 'gi'), instead, why }))

/**
 * The words of a text that are to be replaced, a line for each.
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
export function poorWords(path, text) {
  if (!isSearched(path)) return []
  return text.split('\n').flatMap((line, index) => {
    const words = line.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    return rules.flatMap(({ pattern, instead, why }) =>
      [...words.matchAll(pattern)].map(
        ([found]) => `${path}:${index + 1}: “${found}” (${why}): write ${instead}`,
      ),
    )
  })
}

/** Text in English that people read: docs, lessons, sources. Recordings and what was generated from sources are not. */
function isSearched(path) {
  if (/\.ko\.(md|yaml)$|^test\/golden\/|^scripts\/repository\/words\.mjs$/.test(path)) return false
  return /\.(md|ts|mjs|cjs|js|ya?ml)$/.test(path)
}
