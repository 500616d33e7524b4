import type { Language, Level } from '../../lab/workshop/types.js'

const english = {
  levels: {
    1: 'Level 1: the objects',
    2: 'Level 2: the nodes',
    3: 'Level 3: the way of a packet',
  } as Readonly<Record<Level, string>>,
  solvedOf: (solved: number, all: number) => `${solved} of ${all} solved`,
  howToStart: (name: string) => `Begin with: vethlab workshop start ${name}`,
  next: (name: string) => `Next: vethlab workshop start ${name}`,
  allSolved: 'That was the last one: all exercises are solved.',
  places: (places: string) => `In this lab: ${places}`,
  ways: {
    shell: 'look around in a node, pod or client',
    get: 'the objects; `vethlab --help` has more',
    check: 'see whether it is mended',
    hint: 'be told a little more',
  },
  isUpAlready: (name: string) =>
    `${name} is up already and is left as it is; \`vethlab workshop reset\` starts it anew.`,
  takenDown: (name: string) => `${name} is solved, and its lab was removed.`,
  notUp: (name: string) => `the lab of the exercise "${name}" is not up`,
  startAgain: (name: string) => `\`vethlab workshop start ${name}\` brings it up in its starting state`,
  nothingStarted: 'no exercise was started yet',
  seeList: '`vethlab workshop list` shows all',
  neverStarted: (name: string) => `the exercise "${name}" was not started yet`,
  faultFailed: (name: string, why: string) => `the fault "${name}" could not be brought about: ${why}`,
  holding: (name: string, ok: number, all: number) => `${name}: ${ok} of ${all} checks hold`,
  hintsLeft: (left: number) =>
    left === 0
      ? '`vethlab workshop solution` shows the solution.'
      : `\`vethlab workshop hint\` tells more (${left} left).`,
  solved: (name: string) => `${name} is solved. Well done!`,
  remember: 'To remember:',
  hint: (number: number, all: number) => `Hint ${number} of ${all}:`,
  lastHint: (all: number) => `There are no more than ${all} hints. The last one was:`,
  solution: 'These commands mend it:',
  states: {
    solved: (date: string) => `solved on ${date}`,
    up: 'begun, its lab is up',
    gone: 'begun, its lab is not up',
    none: 'not begun',
  },
  hintsTold: (hints: number) => (hints === 1 ? '1 hint' : `${hints} hints`),
  sawSolution: 'solution seen',
}

/** What the workshop itself says. */
export type Messages = typeof english

const korean: Messages = {
  levels: { 1: '1단계: 오브젝트', 2: '2단계: 노드', 3: '3단계: 패킷이 지나는 길' },
  solvedOf: (solved, all) => `${all}개 중 ${solved}개 해결`,
  howToStart: (name) => `시작하려면: vethlab workshop start ${name}`,
  next: (name) => `다음 문제: vethlab workshop start ${name}`,
  allSolved: '마지막 문제였습니다. 모든 문제를 해결했습니다.',
  places: (places) => `이 랩에 있는 것: ${places}`,
  ways: {
    shell: '노드, 파드, 클라이언트 안에서 둘러보기',
    get: '오브젝트 보기 (다른 명령은 `vethlab --help`)',
    check: '고쳐졌는지 확인하기',
    hint: '힌트 하나 더 보기',
  },
  isUpAlready: (name) =>
    `${name} 랩은 이미 떠 있어 그대로 둡니다. 처음부터 다시 하려면 \`vethlab workshop reset\`을 실행하세요.`,
  takenDown: (name) => `${name} 문제는 해결되었으므로 그 랩을 제거했습니다.`,
  notUp: (name) => `"${name}" 문제의 랩이 떠 있지 않습니다`,
  startAgain: (name) => `\`vethlab workshop start ${name}\`을 실행하면 처음 상태로 다시 띄웁니다`,
  nothingStarted: '아직 시작한 문제가 없습니다',
  seeList: '`vethlab workshop list`로 전체 목록을 볼 수 있습니다',
  neverStarted: (name) => `"${name}" 문제를 아직 시작하지 않았습니다`,
  faultFailed: (name, why) => `장애 "${name}"을(를) 일으키지 못했습니다: ${why}`,
  holding: (name, ok, all) => `${name}: 검사 ${all}개 중 ${ok}개 통과`,
  hintsLeft: (left) =>
    left === 0
      ? '`vethlab workshop solution`으로 풀이를 볼 수 있습니다.'
      : `\`vethlab workshop hint\`로 힌트를 볼 수 있습니다 (${left}개 남음).`,
  solved: (name) => `${name} 문제를 해결했습니다. 잘하셨습니다!`,
  remember: '기억할 점:',
  hint: (number, all) => `힌트 ${number}/${all}:`,
  lastHint: (all) => `힌트는 ${all}개가 전부입니다. 마지막 힌트를 다시 보여 드립니다.`,
  solution: '다음 명령으로 고칠 수 있습니다:',
  states: {
    solved: (date) => `${date} 해결`,
    up: '푸는 중, 랩이 떠 있음',
    gone: '푸는 중, 랩이 떠 있지 않음',
    none: '시작 전',
  },
  hintsTold: (hints) => `힌트 ${hints}개`,
  sawSolution: '풀이를 봄',
}

/** The workshop's own words, by language. */
export const messages: Readonly<Record<Language, Messages>> = { en: english, ko: korean }
