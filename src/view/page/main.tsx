import { render } from 'preact'
import { App } from './App.js'
import { readReport } from './data.js'
import { followAddress, keepAddress, report } from './navigation.js'

const place = document.getElementById('app')
if (place !== null) {
  try {
    report.value = await readReport()
    followAddress()
    addEventListener('hashchange', followAddress)
    keepAddress()
    render(<App />, place)
  } catch (error) {
    place.textContent = `This report cannot be shown: ${String(error)}`
  }
}
