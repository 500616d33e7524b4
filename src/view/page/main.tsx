import { render } from 'preact'
import { App } from './App.js'
import { readReport } from './data.js'
import { followAddress, report } from './navigation.js'

const place = document.getElementById('app')
if (place !== null) {
  try {
    report.value = await readReport()
    followAddress()
    addEventListener('hashchange', followAddress)
    render(<App />, place)
  } catch (error) {
    place.textContent = `This report cannot be shown: ${String(error)}`
  }
}
