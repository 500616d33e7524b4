import { render } from 'preact'
import { followLanguage } from '../language.js'
import { korean } from '../texts/korean.js'
import { inKorean } from '../texts/say.js'
import { followSentences } from '../texts/sentence.js'
import { followAddress, isFramed } from './address.js'
import { LiveApp } from './LiveApp.js'
import { follow } from './state.js'

const place = document.getElementById('app')
if (place !== null) {
  if (isFramed) document.documentElement.classList.add('framed')
  inKorean.value = korean
  followLanguage()
  followSentences()
  followAddress()
  render(<LiveApp />, place)
  follow()
}
