import { ESLint } from 'eslint'

/**
 * The linter with one rule: the others would report much about files that hold one statement. Without types, which need a
 * file that exists, and seconds to read.
 */
export function linterOf(rule: string): ESLint {
  return new ESLint({
    ruleFilter: ({ ruleId }) => ruleId === rule,
    overrideConfig: { languageOptions: { parserOptions: { project: null } } },
  })
}
