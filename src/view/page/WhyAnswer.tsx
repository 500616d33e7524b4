import type { ShownWhy } from '../report/document.js'
import { say } from './texts/say.js'
import { sentence } from './texts/sentence.js'

/** Why a request fails: causes, and changes that let it pass. */
export function WhyAnswer({ of: { findings, remarks } }: { readonly of: ShownWhy }) {
  if (findings.length === 0)
    return (
      <>
        <p>{say.value.noCause}</p>
        {remarks.map(({ says }) => (
          <p class="mute" key={says}>
            {sentence.value(says)}
          </p>
        ))}
      </>
    )
  return (
    <ol>
      {findings.map(({ code, end, share = 1, causes, changes }, index) => (
        <li key={index}>
          {findings.length === 1 && share === 1 ? null : (
            <p class="bad">
              {sentence.value(end.reason)}
              {share < 1 ? say.value.ofRequests(percent(share)) : ''}
            </p>
          )}
          {causes.map(({ says }) => (
            <p key={says}>{sentence.value(says)}</p>
          ))}
          <code>vethlab explain {code}</code>
          {changes === undefined ? null : changes.length === 0 ? (
            <p class="mute">{say.value.noChange}</p>
          ) : (
            <h3>{say.value.whatHelps}</h3>
          )}
          <ul>
            {changes?.map(({ says, command, share: helped }, at) => (
              <li key={at}>
                {sentence.value(says)}
                {helped < 1 ? say.value.thenPass(percent(helped)) : ''}
                {command === undefined ? null : <code>{command}</code>}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  )
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`
}
