/**
 * Splits the way from one kept result to another into steps with a cause each.
 *
 * A result depends on the SQL, the parameter values and the data. Between two results with the same SQL and the same values, only the data
 * can have changed. Between two with different SQL, the data can have changed as well while time passed, so a step has the cause `sql` alone
 * only if kept results prove that it did not: the SQL of one side returned the same result before and after the other one ran. Otherwise
 * the step names both causes, and covers the shortest time that the kept results allow.
 */
export type Cause = 'sql' | 'parameters' | 'data'

/** A kept result, with what produced it. */
export interface PathResult {
  runId: string
  at: Date
  resultHash: string
  /** Equal for equal SQL. */
  sql: string
  /** Equal for equal parameter values. */
  parameters: string
}

export interface PathStep {
  causes: Cause[]
  from: PathResult
  to: PathResult
}

/** The steps from one result to another, in order, through some of the other kept results. */
export function findPath(from: PathResult, to: PathResult, others: PathResult[]): PathStep[] {
  const all = [from, to, ...others.filter(({ runId }) => runId !== from.runId && runId !== to.runId)].toSorted(byTime)
  const causes = changedCauses(from, to)
  if (causes.length === 0) return [{ causes: ['data'], from, to }]
  const start = all.filter((result) => isAlike(result, from))
  const end = all.filter((result) => isAlike(result, to))
  const direct: Switch[] = [nearest(start, end, causes)!]
  if (causes.length === 1) return stepsOf(from, to, direct)
  const ways = [direct]
  for (const [sql, parameters] of [[from.sql, to.parameters], [to.sql, from.parameters]] as const) {
    const between = all.filter((result) => result.sql === sql && result.parameters === parameters)
    const first = nearest(start, between, changedCauses(from, { sql, parameters }))
    const second = nearest(between, end, changedCauses({ sql, parameters }, to))
    if (first && second) ways.push([first, second])
  }
  return stepsOf(from, to, ways.toSorted((one, other) => compareWays(one, other))[0]!)
}

/** A step between results with different SQL or parameter values. */
interface Switch {
  from: PathResult
  to: PathResult
  causes: Cause[]
  isDataUnchanged: boolean
  gapMs: number
}

const byTime = (one: PathResult, other: PathResult) =>
  one.at.getTime() - other.at.getTime() || (one.runId < other.runId ? -1 : one.runId > other.runId ? 1 : 0)

const isAlike = (one: PathResult, other: PathResult) => one.sql === other.sql && one.parameters === other.parameters

type Producer = Pick<PathResult, 'sql' | 'parameters'>

function changedCauses(from: Producer, to: Producer): Cause[] {
  const causes: Cause[] = []
  if (from.sql !== to.sql) causes.push('sql')
  if (from.parameters !== to.parameters) causes.push('parameters')
  return causes
}

/** The best pair of results: one between which the data did not change, else one with the least time in between. Both lists are by time. */
function nearest(starts: PathResult[], ends: PathResult[], causes: Cause[]): Switch | undefined {
  let best: Switch | undefined
  const consider = (from: PathResult, to: PathResult) => {
    const gapMs = Math.abs(to.at.getTime() - from.at.getTime())
    const found = { from, to, causes, isDataUnchanged: gapMs === 0 || isProven(from, to, starts, ends), gapMs }
    if (!best || compareSwitches(found, best) < 0) best = found
  }
  // The nearest of an end are the last start before it and the first one after it.
  let next = 0
  for (const end of ends) {
    while (next < starts.length && starts[next]!.at <= end.at) next++
    if (next > 0) consider(starts[next - 1]!, end)
    if (next < starts.length) consider(starts[next]!, end)
  }
  return best
}

const isBetween = (time: Date, one: Date, other: Date) => (one <= time && time <= other) || (other <= time && time <= one)

/** Whether one of the two has an equal result on the other side of the other one. */
function isProven(from: PathResult, to: PathResult, starts: PathResult[], ends: PathResult[]): boolean {
  const surrounds = (inner: PathResult, outer: PathResult, alike: PathResult[]) =>
    alike.some((other) => other !== outer && other.resultHash === outer.resultHash && isBetween(inner.at, outer.at, other.at))
  return surrounds(to, from, starts) || surrounds(from, to, ends)
}

const compareSwitches = (one: Switch, other: Switch) =>
  Number(other.isDataUnchanged) - Number(one.isDataUnchanged) || one.gapMs - other.gapMs || byTime(one.from, other.from) || byTime(one.to, other.to)

/** Ways that separate more come first, then those that take less time. */
function compareWays(one: Switch[], other: Switch[]): number {
  const together = (way: Switch[]) => Math.max(...way.map(({ causes }) => causes.length))
  const unproven = (way: Switch[]) => way.filter(({ isDataUnchanged }) => !isDataUnchanged).length
  const gapMs = (way: Switch[]) => way.reduce((sum, each) => sum + each.gapMs, 0)
  return together(one) - together(other) || unproven(one) - unproven(other) || gapMs(one) - gapMs(other)
}

function stepsOf(from: PathResult, to: PathResult, switches: Switch[]): PathStep[] {
  const steps: PathStep[] = []
  let here = from
  const goTo = (next: PathResult) => {
    if (next.runId !== here.runId) steps.push({ causes: ['data'], from: here, to: next })
  }
  for (const each of switches) {
    goTo(each.from)
    steps.push({ causes: each.isDataUnchanged ? each.causes : [...each.causes, 'data'], from: each.from, to: each.to })
    here = each.to
  }
  goTo(to)
  return steps
}
