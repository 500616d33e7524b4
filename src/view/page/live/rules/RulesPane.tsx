import { useState } from 'preact/hooks'
import { modeNames } from '../../../../agents/kubeProxy/config.js'
import type { LiveLab, NodeRules, SwitchRule } from '../../../live/api.js'
import { call } from '../call.js'
import { chosenPlace, connection, lab, place } from '../state.js'
import { useAnswer } from '../useAnswer.js'
import { Chains } from './Chains.js'
import { RuleMap } from './RuleMap.js'
import { objectsOf, shownChains } from './shownRules.js'
import * as view from './ruleView.js'
import { useMoved } from './useMoved.js'
import { say } from '../../texts/say.js'

/** The rules of a node, which can be searched, switched off, and compared with those of another mode. */
export function RulesPane() {
  const now = lab.value
  return now === undefined ? null : <Rules lab={now} />
}

function Rules({ lab: now }: { readonly lab: LiveLab }) {
  const { families, mode, readOnly } = now
  const family = view.family.value ?? families[0] ?? 'IPv4'
  const other = view.other.value
  const isFull = view.isFull.value
  const [failed, setFailed] = useState('')
  const node = nodeOf(now, chosenPlace.value)
  const path = node === undefined ? undefined : `/nodes/${encodeURIComponent(node)}/rules`
  const ofFamily = path && `${path}?family=${family}`
  const [{ value, error }, replace] = useAnswer<NodeRules>(ofFamily)
  const [compared] = useAnswer<NodeRules>(
    other === '' ? undefined : ofFamily && `${ofFamily}&mode=${other}`,
    lab,
  )
  const moved = useMoved(value)
  const objects = objectsOf([value, compared.value])
  const object = objects.includes(view.object.value) ? view.object.value : ''
  const filter = { search: view.search.value, object }
  const shown = shownChains(value?.chains ?? [], filter)
  const turn = (id: string, off: boolean) => {
    if (path === undefined) return
    setFailed('')
    call<NodeRules>(path, { family, id, off } satisfies SwitchRule).then(replace, ({ message }: Error) =>
      setFailed(message),
    )
  }
  const problem = failed || error || compared.error
  return (
    <section class="rules-pane" aria-label={say.value.rulesOfNode}>
      <div class="fields">
        <label>
          {say.value.node}
          <select value={node} onChange={({ currentTarget }) => choose(now, currentTarget.value)}>
            {now.topology.nodes.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        {families.length < 2 ? null : (
          <label>
            {say.value.family}
            <select
              value={family}
              onChange={({ currentTarget }) => (view.family.value = families[currentTarget.selectedIndex])}
            >
              {families.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
        )}
        <label>
          {say.value.search}
          <input
            type="search"
            value={filter.search}
            placeholder={say.value.searchRules}
            spellcheck={false}
            onInput={({ currentTarget }) => (view.search.value = currentTarget.value)}
          />
        </label>
        <label>
          {say.value.service}
          <select value={object} onChange={({ currentTarget }) => (view.object.value = currentTarget.value)}>
            <option value="">{say.value.all}</option>
            {objects.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        {mode === undefined ? null : (
          <label>
            {say.value.compareWith}
            <select
              value={other}
              onChange={({ currentTarget }) => {
                view.other.value = currentTarget.value
                if (object === '' && currentTarget.value !== '') view.object.value = objects[0] ?? ''
              }}
            >
              <option value="">{say.value.nothing}</option>
              {modeNames
                .filter((one) => one !== mode)
                .map((one) => (
                  <option key={one}>{one}</option>
                ))}
            </select>
          </label>
        )}
        <label class="check">
          <input
            type="checkbox"
            checked={isFull}
            onChange={({ currentTarget }) => (view.isFull.value = currentTarget.checked)}
          />
          {say.value.fullText}
        </label>
        {mode === undefined || readOnly ? null : (
          <button
            type="button"
            class="plain"
            disabled={connection.value !== 'open' || node === undefined}
            onClick={() => {
              setFailed('')
              call(`/nodes/${encodeURIComponent(node ?? '')}/kube-proxy`, {}).catch(({ message }: Error) =>
                setFailed(message),
              )
            }}
          >
            {say.value.restartKubeProxy}
          </button>
        )}
      </div>
      {problem === '' ? null : (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
      {value === undefined ? (
        <p class="mute">{say.value.readingRules}</p>
      ) : (
        <>
          <RuleMap rules={value} shown={shown} moved={moved} />
          <div class={other === '' ? '' : 'beside'}>
            <Chains
              title={say.value.inKernel(mode ?? say.value.panes.rules, value.node)}
              {...{ chains: shown, all: value.chains, moved, isFull }}
              onSwitch={readOnly || connection.value !== 'open' ? undefined : turn}
            />
            {compared.value === undefined ? null : (
              <Chains
                title={say.value.asWritten(other)}
                {...{ chains: shownChains(compared.value.chains, filter), all: compared.value.chains }}
                {...{ moved: none, isFull, isOther: true }}
              />
            )}
          </div>
        </>
      )}
    </section>
  )
}

const none: ReadonlySet<string> = new Set()

/** The node that is chosen, or on which the chosen pod is; the first by default. */
function nodeOf({ places, topology }: LiveLab, netns: string | undefined): string | undefined {
  const found = netns === undefined ? undefined : places[netns]
  return (found?.kind === 'node' ? found.name : found?.node) ?? topology.nodes[0]?.name
}

function choose({ places }: LiveLab, node: string): void {
  const found = Object.entries(places).find(([, { kind, name }]) => kind === 'node' && name === node)
  if (found !== undefined) place.value = found[0]
}
