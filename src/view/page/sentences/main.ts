import { translations } from '../../path/korean.js'

/*
 * The script of sentences in other languages: a page loads it when one is chosen, and calls the function that it leaves.
 */

globalThis.sentenceIn = (text, language) => translations[language](text) ?? text
