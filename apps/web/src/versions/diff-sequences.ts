/** A run of elements that both sequences have, or that only one of them has. */
export interface Run<Element> {
  kind: 'same' | 'removed' | 'added'
  elements: Element[]
}

/** More differences than this are not worth aligning, and would cost time and memory with their square. */
const maxDifferences = 500

/**
 * A shortest list of removals and additions that turns `before` into `after`, by Myers' algorithm: its time grows with the length of the
 * sequences times the number of differences. Removed elements come before added ones.
 */
export function diffSequences<Element>(before: readonly Element[], after: readonly Element[]): Run<Element>[] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const middle = align(before.slice(start, before.length - end), after.slice(start, after.length - end))
  return inRuns([
    ...before.slice(0, start).map((element) => ({ kind: 'same' as const, element })),
    ...middle,
    ...before.slice(before.length - end).map((element) => ({ kind: 'same' as const, element })),
  ])
}

interface Step<Element> {
  kind: Run<Element>['kind']
  element: Element
}

function align<Element>(before: Element[], after: Element[]): Step<Element>[] {
  const frontiers = reach(before, after)
  if (!frontiers) {
    return [
      ...before.map((element) => ({ kind: 'removed' as const, element })),
      ...after.map((element) => ({ kind: 'added' as const, element })),
    ]
  }
  // Follow the path backward, from the ends of both sequences to their beginnings.
  const steps: Step<Element>[] = []
  let x = before.length
  let y = after.length
  for (let differences = frontiers.length - 1; differences >= 0; differences -= 1) {
    const frontier = frontiers[differences]!
    const diagonal = x - y
    const previous = comesFromAbove(frontier, diagonal, differences) ? diagonal + 1 : diagonal - 1
    const previousX = differences === 0 ? 0 : frontier.get(previous)!
    const previousY = differences === 0 ? 0 : previousX - previous
    while (x > previousX && y > previousY) {
      x -= 1
      y -= 1
      steps.push({ kind: 'same', element: before[x]! })
    }
    if (differences === 0) break
    if (x === previousX) {
      y -= 1
      steps.push({ kind: 'added', element: after[y]! })
    } else {
      x -= 1
      steps.push({ kind: 'removed', element: before[x]! })
    }
  }
  return steps.toReversed()
}

/**
 * For each number of differences, how far into `before` every diagonal had come with one difference less. A diagonal is the
 * position in `before` minus that in `after`. Undefined if there are too many differences.
 */
function reach<Element>(before: Element[], after: Element[]): Map<number, number>[] | undefined {
  const frontiers: Map<number, number>[] = []
  let furthest = new Map([[1, 0]])
  for (let differences = 0; differences <= maxDifferences; differences += 1) {
    frontiers.push(furthest)
    const next = new Map<number, number>()
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      let x = comesFromAbove(furthest, diagonal, differences) ? furthest.get(diagonal + 1)! : furthest.get(diagonal - 1)! + 1
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1
      next.set(diagonal, x)
      if (x >= before.length && x - diagonal >= after.length) return frontiers
    }
    furthest = next
  }
  return undefined
}

/** Whether the path to a diagonal adds an element, rather than removing one. */
const comesFromAbove = (frontier: Map<number, number>, diagonal: number, differences: number): boolean =>
  diagonal === -differences ||
  (diagonal !== differences && (frontier.get(diagonal - 1) ?? -1) < (frontier.get(diagonal + 1) ?? -1))

function inRuns<Element>(steps: Step<Element>[]): Run<Element>[] {
  const runs: Run<Element>[] = []
  // Between two equal elements, the removed ones come first.
  let removed: Element[] = []
  let added: Element[] = []
  const flush = () => {
    if (removed.length > 0) runs.push({ kind: 'removed', elements: removed })
    if (added.length > 0) runs.push({ kind: 'added', elements: added })
    removed = []
    added = []
  }
  for (const { kind, element } of steps) {
    if (kind === 'removed') removed.push(element)
    else if (kind === 'added') added.push(element)
    else {
      flush()
      const last = runs.at(-1)
      if (last?.kind === 'same') last.elements.push(element)
      else runs.push({ kind: 'same', elements: [element] })
    }
  }
  flush()
  return runs
}
