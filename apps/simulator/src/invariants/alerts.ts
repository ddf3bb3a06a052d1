import { worldBeganAt } from '../world/machine.ts'
import { answersAnotherQuestion, figureOf } from '../world/alert-port.ts'
import type { MemoryAlert, WorkChange } from '../store/memory-work.ts'
import type { Commit, Judge, Observed } from '../world/observed.ts'
import { firstOf } from './1-reaches-its-end.ts'

type Truth = 'fine' | 'firing' | 'failing'
type Message = Extract<WorkChange, { table: 'alertMessages' }>['after']

/** What the judge knows of one alert. */
interface Known {
  /** What the result that was evaluated last says. */
  truth: Truth
  /** What people know from messages. */
  announced: Truth
  /** Whether people know of an incident that has not been resolved. */
  isIncidentKnown: boolean
  number: number
  latestRunId: string | null
}

/** A worker polls every five seconds, and reading a result sometimes fails. */
const decidedWithinMs = 600_000

/**
 * Alerts. Each result that waits is evaluated once: the latest one, failures included. Changes are numbered 1, 2, 3, …. A message is sent only if
 * people know another state, never while the alert is snoozed by the store's time, and in the commit of the change, together with its event.
 * Neither a result nor a message waits for long. At the end no result and no message waits, and people know the state. The judge computes the state itself, from the results.
 */
export function alerts(observed: Observed): Judge {
  const work = observed.work!
  const all = new Map<string, Known>()
  const knownOf = (id: string): Known => {
    const known = all.get(id) ?? { truth: 'fine', announced: 'fine', isIncidentKnown: false, number: 0, latestRunId: null }
    all.set(id, known)
    return known
  }

  function truthOf({ limit }: MemoryAlert, runId: string): Truth {
    const run = work.tables.runs.get(runId)!
    if (run.status === 'failed') return 'failing'
    return figureOf(run) > limit ? 'firing' : 'fine'
  }

  function judgeEvaluation({ before, after }: Extract<WorkChange, { table: 'alerts' }>): string | undefined {
    if (!before || after.judgedRunId === before.judgedRunId) return undefined
    const known = knownOf(after.id)
    if (after.judgedRunId !== known.latestRunId) return `alert ${after.id} was decided from ${after.judgedRunId}, but ${known.latestRunId} ended later`
    known.truth = truthOf(after, after.judgedRunId!)
    return undefined
  }

  function judgeMessage({ alertId, number, kind, id }: Message, { work: changes }: Commit): string | undefined {
    const known = knownOf(alertId)
    const alert = work.tables.alerts.get(alertId)!
    const who = `message ${number} of alert ${alertId}`
    if (alert.snoozedUntil && alert.snoozedUntil.getTime() - worldBeganAt > observed.nowMs()) return `${who} was sent while it was snoozed`
    if (known.announced === known.truth) return `${who} says again that the alert is ${known.truth}`
    const expected = known.truth === 'firing' ? 'fired' : known.truth === 'failing' ? 'failing' : known.isIncidentKnown ? 'resolved' : 'recovered'
    if (kind !== expected) return `${who} is ${kind}, not ${expected}`
    const isWritten = changes.some((change) => change.table === 'alerts' && change.after.id === alertId)
    if (!isWritten) return `${who} was sent apart from the alert's state`
    const eventCount = changes.filter((change) => change.table === 'alertEvents' && change.after.id === id).length
    if (eventCount !== (kind === 'fired' || kind === 'resolved' ? 1 : 0)) return `${who} has ${eventCount} events`
    known.announced = known.truth
    if (kind === 'fired') known.isIncidentKnown = true
    if (kind === 'resolved') known.isIncidentKnown = false
    return undefined
  }

  function judgeChange({ alertId, number, status }: Extract<WorkChange, { table: 'alertChanges' }>['after']): string | undefined {
    const known = knownOf(alertId)
    if (number !== known.number + 1) return `change ${number} of alert ${alertId} follows change ${known.number}`
    known.number = number
    const expected = known.truth === 'fine' ? ['ok', 'resolved'] : [known.truth]
    return expected.includes(status) ? undefined : `change ${number} of alert ${alertId} is ${status}, but its result says ${known.truth}`
  }

  /** After an evaluation, either people know the state or the alert waits for the end of its snooze. */
  function judgeSilence({ id, announceAt, snoozedUntil }: MemoryAlert): string | undefined {
    const { truth, announced } = knownOf(id)
    const isSnoozed = snoozedUntil !== null && snoozedUntil.getTime() - worldBeganAt > observed.nowMs()
    if (truth === announced || (isSnoozed && announceAt)) return undefined
    return `alert ${id} is ${truth}, but was announced as ${announced}`
  }

  function noteEnd(change: WorkChange) {
    if (change.table !== 'alerts' || !change.before || change.after.unjudgedRunId === null) return
    if (change.after.unjudgedRunId !== change.before.unjudgedRunId) knownOf(change.after.id).latestRunId = change.after.unjudgedRunId
  }

  function judgeRun({ before, after }: Extract<WorkChange, { table: 'runs' }>, changes: WorkChange[]): string | undefined {
    const isEnded = before?.status === 'running' && (after.status === 'completed' || after.status === 'failed')
    if (!isEnded || (after.status === 'failed' && after.stopRequestedBy !== null)) return undefined
    return firstOf(work.tables.alerts.values(), ({ id, queryId }) => {
      const isNotified = changes.some((change) => change.table === 'alerts' && change.after.id === id && change.after.unjudgedRunId === after.id)
      return queryId !== after.queryId || isNotified ? undefined : `run ${after.id} ended, and alert ${id} does not know`
    })
  }

  return {
    invariant: 'alerts',
    committed(commit) {
      const { work: changes } = commit
      changes.forEach(noteEnd)
      const wrong = firstOf(changes, (change) => {
        if (change.table === 'runs') return judgeRun(change, changes)
        if (change.table === 'alerts') return judgeEvaluation(change)
        if (change.table === 'alertChanges') return judgeChange(change.after)
        return change.table === 'alertMessages' ? judgeMessage(change.after, commit) : undefined
      })
      if (wrong !== undefined || commit.cause.by !== 'worker' || !commit.cause.call.startsWith('alerts.')) return wrong
      return firstOf(changes, (change) => (change.table === 'alerts' ? judgeSilence(work.tables.alerts.get(change.after.id)!) : undefined))
    },
    stepped: () =>
      firstOf(work.tables.alerts.values(), ({ id, unjudgedSince, announceAt }) => {
        const dueAt = unjudgedSince ?? announceAt
        if (!dueAt) return undefined
        const lateMs = observed.nowMs() - Math.max(dueAt.getTime() - worldBeganAt, observed.calmSinceMs())
        return lateMs > decidedWithinMs ? `alert ${id} has been due for ${lateMs} ms` : undefined
      }),
    ended: () =>
      firstOf(work.tables.alerts.values(), (alert) => {
        if (alert.unjudgedRunId !== null) return `alert ${alert.id} has not been evaluated with ${alert.unjudgedRunId}`
        const { latestRunId } = knownOf(alert.id)
        const isExpected = latestRunId !== null && !answersAnotherQuestion(work.tables.runs.get(latestRunId)!)
        if (isExpected && alert.judgedRunId !== latestRunId) return `alert ${alert.id} was not evaluated with ${latestRunId}`
        return judgeSilence(alert)
      }),
  }
}
