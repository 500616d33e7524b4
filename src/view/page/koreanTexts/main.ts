import { korean } from '../texts/korean.js'

/*
 * The script of Korean texts: a report in Korean has it before its own.
 */

globalThis.koreanTexts = korean
