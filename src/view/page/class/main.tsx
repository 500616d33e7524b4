import { render } from 'preact'
import type { Me } from '../../class/api.js'
import { ownApi } from '../live/call.js'
import { followLanguage } from '../language.js'
import { followClass } from './participant/state.js'
import { ParticipantApp } from './participant/ParticipantApp.js'
import { followTrainer } from './trainer/state.js'
import { TrainerApp } from './trainer/TrainerApp.js'

const place = document.getElementById('app')
if (place !== null) {
  followLanguage()
  try {
    const { role } = await ownApi.call<Me>('/me')
    render(role === 'trainer' ? <TrainerApp /> : <ParticipantApp />, place)
    if (role === 'trainer') followTrainer()
    else followClass()
  } catch (error) {
    place.textContent = (error as Error).message
  }
}
