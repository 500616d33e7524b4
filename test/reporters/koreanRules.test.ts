import t from 'tap'
import { chainTexts } from '../../src/agents/kubeProxy/chainTexts.js'
import { explainRuleset } from '../../src/agents/kubeProxy/iptables/explained/explainedRuleset.js'
import type { ExplainedRuleset } from '../../src/agents/kubeProxy/iptables/explained/types.js'
import { buildRuleset } from '../../src/agents/kubeProxy/iptables/ruleset.js'
import { iptablesTexts } from '../../src/agents/kubeProxy/iptables/texts.js'
import { explainIpvs } from '../../src/agents/kubeProxy/ipvs/explained/explainedIpvs.js'
import { ipvsTexts } from '../../src/agents/kubeProxy/ipvs/explained/texts.js'
import { buildIpvs } from '../../src/agents/kubeProxy/ipvs/state.js'
import { ipvsRuleTexts } from '../../src/agents/kubeProxy/ipvs/texts.js'
import { explainTable } from '../../src/agents/kubeProxy/nftables/explained/explainedTable.js'
import { buildTable } from '../../src/agents/kubeProxy/nftables/table.js'
import { nftTexts } from '../../src/agents/kubeProxy/nftables/texts.js'
import { userspaceTexts } from '../../src/agents/kubeProxy/userspace/texts.js'
import { withoutRulesTexts } from '../../src/agents/kubeProxy/withoutRules.js'
import { pictureTexts } from '../../src/reporters/pictureTexts.js'
import { prettyRules } from '../../src/reporters/prettyRules.js'
import { rulesTexts } from '../../src/reporters/rulesTexts.js'
import { createColours } from '../../src/text/colour.js'
import { languages, type Language } from '../../src/text/language.js'
import { textWidth } from '../../src/text/textWidth.js'
import { rulesOf } from '../agents/kubeProxy/explainedRules.js'
import { goldenCases } from '../agents/kubeProxy/goldenCases.js'
import { ipvsCases } from '../agents/kubeProxy/ipvs/goldenIpvs.js'
import { existing } from '../agents/kubeProxy/ipvs/existing.js'
import { hangul, textsIn } from '../text/textsIn.js'
import { golden } from './golden.js'

const width = 80
const print = (ruleset: ExplainedRuleset, language: Language = 'ko') =>
  prettyRules(ruleset, {
    ...{ language, width, colours: createColours(false) },
    podAt: (address) => ({
      name: 'web-1',
      namespace: 'lab',
      node: 'node-a',
      labels: {},
      addresses: [address],
    }),
    serviceOf: (namespace, name) => ({
      ...{ namespace, name, type: 'NodePort', clusterIPs: ['10.96.0.20'], externalIPs: ['192.0.2.1'] },
      ports: [{ name: 'http', protocol: 'TCP', port: 80, targetPort: 8080, nodePort: 30080 }],
      endpoints: ['10.244.1.5:8080'],
    }),
    withoutRules: [{ namespace: 'lab', name: 'headless', why: withoutRulesTexts[language].headless }],
  })

const name = 'nodeport-basic'
const recorded = goldenCases().find((one) => one.name === name)
const recordedIpvs = ipvsCases().find((one) => one.name === name)
if (recorded?.nft === undefined || recordedIpvs === undefined) throw new Error(`no recording ${name}`)
const { input, saved, nft } = recorded

// every third rule is missing, so that the texts about missing rules are there
const gaps = saved.IPv4.map((table) => ({ ...table, rules: table.rules.filter((_, index) => index % 3 > 0) }))
const elsewhere = (input.node.status?.addresses ?? []).map(({ address }) => address)
const found = {
  ...existing(buildIpvs(recordedIpvs.input, 'IPv4')),
  elsewhere,
  tables: recordedIpvs.saved.IPv4,
}

const explained: Readonly<Record<string, (language: Language) => ExplainedRuleset>> = {
  iptables: (language) => explainRuleset(buildRuleset({ ...input, nfacct: true }, 'IPv4'), gaps, language),
  nftables: (language) => explainTable(buildTable(input, 'IPv4'), nft.IPv4, language),
  ipvs: (language) =>
    explainIpvs(recordedIpvs.input, 'IPv4', { ...found, bound: ['10.9.9.9'] }, new Map(), language),
}

for (const [mode, explain] of Object.entries(explained)) {
  t.test(`the rules of mode ${mode} in Korean`, async (t) => {
    const text = print(explain('ko'))
    t.equal(text, golden(`rules-${mode}.ko.txt`))
    // the line with the fields of a Service is not wrapped
    const lines = text.split('\n').filter((line) => !line.startsWith('  NodePort 10.96.0.20, '))
    const wide = lines.filter((line) => textWidth(line) > width)
    t.same(wide, [], 'Korean characters take two columns')
  })

  t.test(`the rules of mode ${mode} are the same in both languages`, async (t) => {
    const specs = (language: Language) =>
      rulesOf(explain(language)).map(({ state, spec }) => `${state} ${spec}`)
    t.same(specs('ko'), specs('en'))
    t.notMatch(print(explain('en'), 'en'), hangul)
    const whys = rulesOf(explain('ko')).map(({ why }) => why)
    const prose = whys.filter((why) => !/^[\w.[\]]+$/.test(why))
    t.ok(prose.length > 0)
    t.same(
      prose.filter((why) => !hangul.test(why)),
      [],
      'every reason is in Korean',
    )
  })
}

t.test('every text is there in every language', async (t) => {
  const tables = {
    ...{ chainTexts, iptablesTexts, nftTexts, ipvsTexts, ipvsRuleTexts, userspaceTexts },
    ...{ withoutRulesTexts, rulesTexts, pictureTexts },
  }
  for (const [table, texts] of Object.entries(tables)) {
    for (const language of languages) {
      const own = textsIn(texts[language])
      t.strictSame(
        own.map(([path]) => path),
        textsIn(texts.en).map(([path]) => path),
      )
      const others = own.filter(([, text]) => hangul.test(text) !== (language === 'ko'))
      t.strictSame(
        others.map(([path]) => path),
        [],
        `every text of ${table}.${language} is in its language`,
      )
    }
  }
})
