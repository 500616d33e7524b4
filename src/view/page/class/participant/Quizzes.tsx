import type { QuizView } from '../../../class/api.js'
import { inLanguage, say } from '../language.js'
import { answerQuiz } from './state.js'

/** The questions of an exercise. */
export function Quizzes({ quizzes }: { readonly quizzes: readonly QuizView[] }) {
  if (quizzes.length === 0) return null
  return (
    <section class="part">
      <h3>{say.value.questions}</h3>
      {quizzes.map((quiz) => (
        <Quiz key={quiz.name} quiz={quiz} />
      ))}
    </section>
  )
}

function Quiz({ quiz: { name, ask, options, answered } }: { readonly quiz: QuizView }) {
  const isDone = answered?.right === true
  return (
    <fieldset class="ask">
      <legend>{inLanguage(ask)}</legend>
      {options.map((option, index) => {
        const isAnswer = answered?.answer === index
        return (
          <button
            key={index}
            type="button"
            class={`plain ${isAnswer ? (isDone ? 'right' : 'wrong') : ''}`}
            aria-pressed={isAnswer}
            disabled={isDone}
            onClick={() => void answerQuiz(name, index)}
          >
            {inLanguage(option)}
          </button>
        )
      })}
      <p class={isDone ? 'good' : 'bad'} role="status">
        {answered === undefined ? '' : isDone ? say.value.right : say.value.wrong}
      </p>
      {answered?.because === undefined ? null : <p>{inLanguage(answered.because)}</p>}
    </fieldset>
  )
}
