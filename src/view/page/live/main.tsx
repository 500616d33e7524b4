import { render } from 'preact'
import { LiveApp } from './LiveApp.js'
import { follow } from './state.js'

const place = document.getElementById('app')
if (place !== null) {
  render(<LiveApp />, place)
  follow()
}
