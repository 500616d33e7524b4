import type { Level } from '../lab/workshop/types.js'
import type { Language } from '../text/language.js'

const english = {
  levels: {
    1: 'Level 1: API objects',
    2: 'Level 2: nodes',
    3: 'Level 3: the path of a packet',
  } as Readonly<Record<Level, string>>,
  minutes: (minutes: number) => `${minutes} min`,
  paths: (names: string) => `Learning paths (--path): ${names}`,
  solvedOf: (solved: number, all: number) => `${solved} of ${all} solved`,
  howToStart: (name: string) => `Start with: vethlab workshop start ${name}`,
  next: (name: string) => `Next: vethlab workshop start ${name}`,
  allSolved: 'This was the last exercise: all exercises are solved.',
  places: (places: string) => `In this lab: ${places}`,
  ways: {
    shell: 'open a shell in a node, pod or client',
    get: 'list the objects; `vethlab --help` lists more commands',
    check: 'check your fix',
    hint: 'show a hint',
  },
  isUpAlready: (name: string) =>
    `${name} is already running and was not changed. To start it again, run \`vethlab workshop reset\`.`,
  takenDown: (name: string) => `${name} is solved; its lab was removed.`,
  notUp: (name: string) => `the lab of the exercise "${name}" is not running`,
  startAgain: (name: string) => `\`vethlab workshop start ${name}\` starts it`,
  nothingStarted: 'no exercise was started yet',
  seeList: '`vethlab workshop list` lists all exercises',
  neverStarted: (name: string) => `the exercise "${name}" was not started yet`,
  faultFailed: (name: string, why: string) => `the fault "${name}" could not be created: ${why}`,
  holding: (name: string, ok: number, all: number) => `${name}: ${ok} of ${all} checks passed`,
  hintsLeft: (left: number) =>
    left === 0
      ? '`vethlab workshop solution` shows the solution.'
      : `\`vethlab workshop hint\` shows the next hint (${left} left).`,
  solved: (name: string) => `${name} is solved. Well done!`,
  remember: 'Remember:',
  hint: (number: number, all: number) => `Hint ${number} of ${all}:`,
  lastHint: (all: number) => `There are no more than ${all} hints. This was the last one:`,
  solution: 'These commands fix it:',
  states: {
    solved: (date: string) => `solved on ${date}`,
    up: 'started, lab running',
    gone: 'started, lab not running',
    none: 'not started',
  },
  hintsShown: (hints: number) => (hints === 1 ? '1 hint' : `${hints} hints`),
  sawSolution: 'solution seen',
  checkpoint: {
    none: (name: string) => `the exercise "${name}" has no checkpoint`,
    howToSave: '`vethlab workshop save` saves one',
    saved: (name: string, objects: number, places: string) =>
      `${name}: saved ${objects} objects, and rules, routes and network sysctls of ${places}.`,
    notHeld:
      'Not saved: conntrack entries, nft tables, addresses and links, files and processes in the lab, and manual changes in KUBE- chains.',
    restored: (name: string, when: string) => `${name} is as it was saved at ${when}.`,
    same: 'Nothing differs from the broken lab.',
    problems: 'Not restored:',
  },
  stepsDone: (done: number, all: number) => `${done} of ${all} steps of the solution were carried out.`,
  noStep: (all: number) => `the solution has ${all} steps`,
  quiz: {
    none: (name: string) => `The exercise "${name}" has no questions.`,
    title: (number: number, all: number) => `Question ${number} of ${all} (answer with a number)`,
    again: (options: number) => `Enter a number from 1 to ${options}.`,
    right: 'Right.',
    wrong: (number: number, option: string) => `Wrong. The right answer is ${number}: ${option}`,
    result: (right: number, all: number) => `${right} of ${all} answers are right.`,
  },
}

/** The workshop's own messages. */
export type Messages = typeof english

const korean: Messages = {
  levels: { 1: '1단계: API 오브젝트', 2: '2단계: 노드', 3: '3단계: 패킷의 경로' },
  minutes: (minutes) => `${minutes}분`,
  paths: (names) => `학습 경로(--path): ${names}`,
  solvedOf: (solved, all) => `전체 ${all}개 중 ${solved}개 해결`,
  howToStart: (name) => `시작: vethlab workshop start ${name}`,
  next: (name) => `다음 문제: vethlab workshop start ${name}`,
  allSolved: '마지막 문제였습니다. 모든 문제를 해결했습니다.',
  places: (places) => `이 랩의 구성: ${places}`,
  ways: {
    shell: '노드, 파드, 클라이언트에서 셸 열기',
    get: '오브젝트 보기 (다른 명령은 `vethlab --help` 참고)',
    check: '해결되었는지 확인하기',
    hint: '힌트 보기',
  },
  isUpAlready: (name) =>
    `${name} 랩은 이미 실행 중이므로 변경하지 않았습니다. 처음부터 다시 하려면 \`vethlab workshop reset\`을 실행하세요.`,
  takenDown: (name) => `${name} 문제를 해결했으므로 랩을 제거했습니다.`,
  notUp: (name) => `"${name}" 문제의 랩이 실행 중이 아닙니다`,
  startAgain: (name) => `\`vethlab workshop start ${name}\`을 실행하면 시작합니다`,
  nothingStarted: '아직 시작한 문제가 없습니다',
  seeList: '`vethlab workshop list`로 전체 목록을 볼 수 있습니다',
  neverStarted: (name) => `"${name}" 문제를 아직 시작하지 않았습니다`,
  faultFailed: (name, why) => `장애 "${name}"을(를) 만들지 못했습니다: ${why}`,
  holding: (name, ok, all) => `${name}: 검사 ${all}개 중 ${ok}개 통과`,
  hintsLeft: (left) =>
    left === 0
      ? '`vethlab workshop solution`으로 풀이를 볼 수 있습니다.'
      : `\`vethlab workshop hint\`로 다음 힌트를 볼 수 있습니다 (${left}개 남음).`,
  solved: (name) => `${name} 문제를 해결했습니다. 잘하셨습니다!`,
  remember: '기억할 점:',
  hint: (number, all) => `힌트 ${number}/${all}:`,
  lastHint: (all) => `힌트는 모두 ${all}개입니다. 마지막 힌트는 다음과 같습니다.`,
  solution: '다음 명령으로 해결할 수 있습니다:',
  states: {
    solved: (date) => `${date} 해결`,
    up: '진행 중, 랩 실행 중',
    gone: '진행 중, 랩이 실행 중이 아님',
    none: '시작 전',
  },
  hintsShown: (hints) => `힌트 ${hints}개`,
  sawSolution: '풀이를 봄',
  checkpoint: {
    none: (name) => `"${name}" 문제에는 저장 지점이 없습니다`,
    howToSave: '`vethlab workshop save`로 저장할 수 있습니다',
    saved: (name, objects, places) =>
      `${name}: 오브젝트 ${objects}개와 ${places}의 규칙, 라우트, 네트워크 sysctl을 저장했습니다.`,
    notHeld:
      '저장되지 않는 것: conntrack 항목, nft 테이블, 주소와 링크, 랩 안의 파일과 프로세스, KUBE- 체인을 직접 변경한 내용.',
    restored: (name, when) => `${name} 랩을 ${when}에 저장한 상태로 되돌렸습니다.`,
    same: '처음의 고장 난 랩과 다른 점이 없습니다.',
    problems: '되돌리지 못한 것:',
  },
  stepsDone: (done, all) => `풀이 ${all}단계 중 ${done}단계를 실행했습니다.`,
  noStep: (all) => `풀이는 ${all}단계입니다`,
  quiz: {
    none: (name) => `"${name}" 문제에는 퀴즈가 없습니다.`,
    title: (number, all) => `퀴즈 ${number}/${all} (번호로 답하세요)`,
    again: (options) => `1부터 ${options} 사이의 번호를 입력하세요.`,
    right: '정답입니다.',
    wrong: (number, option) => `틀렸습니다. 정답은 ${number}번입니다: ${option}`,
    result: (right, all) => `${all}개 중 ${right}개를 맞혔습니다.`,
  },
}

/** The workshop's own messages, by language. */
export const messages: Readonly<Record<Language, Messages>> = { en: english, ko: korean }
