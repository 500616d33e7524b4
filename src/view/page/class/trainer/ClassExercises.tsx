import { useState } from 'preact/hooks'
import type { ClassState } from '../../../class/trainerApi.js'
import { confirmFirst } from '../Confirm.js'
import { inLanguage, say } from '../language.js'
import { faultReport, injectFault, setLock } from './state.js'

/** The exercises of the class: how many have solved them, locks, and their faults. */
export function ClassExercises({ of: { exercises, participants } }: { readonly of: ClassState }) {
  const words = say.value
  return (
    <>
      <section class="class-exercises" aria-label={words.exercises}>
        <div class="heading">
          <h2>{words.exercises}</h2>
          <div class="buttons">
            <button type="button" class="plain" onClick={() => setLock(undefined, false)}>
              {words.lockAll}
            </button>
            <button type="button" class="plain" onClick={() => setLock(undefined, true)}>
              {words.unlockAll}
            </button>
          </div>
        </div>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.exercise}</th>
              <th scope="col" class="number">
                {words.solvedBy}
              </th>
              <th scope="col" class="number">
                {words.runningAt}
              </th>
              <th scope="col">{words.open}</th>
            </tr>
          </thead>
          <tbody>
            {exercises.map(({ name, title, solved, running, open }) => (
              <tr key={name}>
                <th scope="row">{inLanguage(title)}</th>
                <td class="number">
                  {solved}
                  <span class="mute">/{participants.length}</span>
                </td>
                <td class="number">{running}</td>
                <td>
                  <button
                    type="button"
                    class="toggle"
                    role="switch"
                    aria-checked={open}
                    aria-label={`${words.open}: ${inLanguage(title)}`}
                    onClick={() => setLock(name, !open)}
                  >
                    <span aria-hidden="true" />
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Faults exercises={exercises} />
    </>
  )
}

/** Breaks every lab that runs. */
function Faults({ exercises }: { readonly exercises: ClassState['exercises'] }) {
  const words = say.value
  const broken = exercises.filter(({ faults }) => faults.length > 0)
  const [chosen, setChosen] = useState('')
  const { name: exercise, title, faults = [] } = broken.find(({ name }) => name === chosen) ?? broken[0] ?? {}
  const [fault, setFault] = useState('')
  if (exercise === undefined || title === undefined) return null
  const one = faults.includes(fault) ? fault : undefined
  return (
    <section class="faults" aria-label={words.inject}>
      <h2>{words.inject}</h2>
      <div class="fields">
        <label>
          {words.exercise}
          <select value={exercise} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
            {broken.map(({ name, title: one }) => (
              <option key={name} value={name}>
                {inLanguage(one)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.fault}
          <select value={one ?? ''} onChange={({ currentTarget }) => setFault(currentTarget.value)}>
            <option value="">{words.allFaults}</option>
            {faults.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <button
          type="button"
          class="plain danger"
          onClick={() =>
            confirmFirst(
              words.confirmInject(one ?? inLanguage(title)),
              words.injectNow,
              () => void injectFault({ exercise, ...(one === undefined ? {} : { fault: one }) }),
            )
          }
        >
          {words.injectNow}
        </button>
      </div>
      <Report />
    </section>
  )
}

function Report() {
  const report = faultReport.value
  return (
    <div role="status">
      <ul class="fault-report">
        {report === undefined ? null : report.participants.length === 0 ? (
          <li>{say.value.noRunningLab}</li>
        ) : (
          report.participants.map(({ name, ok, message }) => (
            <li key={name} class={ok ? 'good' : 'bad'}>
              {name}: {message ?? say.value.faultOk}
            </li>
          ))
        )}
      </ul>
    </div>
  )
}
