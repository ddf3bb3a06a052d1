import { type Agent, AgentFailure, type AgentTask } from '@querypost/server/background-work'
import { insertRun, stopRun } from '../store/memory-runs.ts'
import type { PortOptions } from './engine-port.ts'
import { interrupted, type ObservedActivity } from './observed-work.ts'
import type { CallStore } from './store-calls.ts'

const endings = ['answers', 'answers', 'answers', 'answers', 'answers', 'streams its answer', 'gives up', 'breaks', 'hangs', 'ignores'] as const

/** Agents that write into their chats, run queries and wait for them, fail, hang, and don't always return when interrupted. */
export function makeAgent(options: PortOptions & { call: CallStore }): Agent {
  const { machine, scheduler, chance, coverage, work, call } = options
  const wait = (ms: number) => new Promise<void>((resolve) => void machine.later(ms, resolve))

  function onAbort({ signal }: AgentTask, act: () => unknown) {
    if (signal.aborted) act()
    else machine.onAbort(signal, () => void act())
  }

  /** Starts a run or joins the current one, and waits for its end. */
  async function runQuery(task: AgentTask, isIgnoring: boolean) {
    const query = chance.pick(work.plan.queries)
    const run = await call('store.runs.request', () => {
      const started = insertRun(work.tables, chance, { ...query, queryId: query.id, triggerId: task.runId })
      return started ?? [...work.tables.unfinishedRuns].find(({ queryId }) => queryId === query.id)!
    })
    for (let looks = 0; looks < 60; looks++) {
      const { status } = await call('store.runs.read', () => ({ status: work.tables.runs.get(run.id)!.status }))
      if (status === 'completed' || status === 'failed') return
      if (task.signal.aborted && !isIgnoring) {
        if (run.triggerId === task.runId) await call('store.runs.request', () => stopRun(work.tables, run.id, 'user_x'))
        throw new Error('interrupted')
      }
      await wait(1_500)
    }
  }

  async function carryOut(task: AgentTask, activity: ObservedActivity) {
    const ending = chance.pick(endings)
    const isIgnoring = ending === 'ignores'
    coverage.count(`agent: ${ending}`)
    const stopIfInterrupted = () => {
      if (task.signal.aborted && !isIgnoring) throw new Error('interrupted')
    }
    let summaryMessageNumber: number | undefined
    const steps = chance.between(0, 3)
    for (let step = 0; step < steps; step++) {
      await wait(chance.pick([10, 300, 3_000, 20_000]))
      stopIfInterrupted()
      const what = chance.pick(['says', 'says', 'runs'] as const)
      if (what === 'runs') await runQuery(task, isIgnoring)
      else {
        const number = await task.chat.add({ kind: 'text', text: 'Looking.' })
        if (chance.isTrue(0.3)) await task.chat.change(number, { kind: 'text', text: 'Looked.' })
      }
      stopIfInterrupted()
    }
    if (ending === 'gives up') throw new AgentFailure('The data are gone.')
    if (ending === 'breaks') throw new Error('internal error')
    if (ending === 'streams its answer') summaryMessageNumber = await task.chat.add({ kind: 'text', text: 'In sum' })
    if (ending === 'hangs') await new Promise((_, reject) => onAbort(task, () => reject(new Error('interrupted'))))
    if (ending === 'ignores') await wait(chance.between(1_000, 200_000))
    if (activity.interruptedMs !== undefined) coverage.count('agent: answers after an interruption')
    const summary = `Found ${chance.between(1, 1000)}.`
    const answers = work.answers.get(task.runId) ?? []
    work.answers.set(task.runId, [...answers, { machine, summary }])
    return { summary, ...(summaryMessageNumber !== undefined && { summaryMessageNumber }) }
  }

  return async (task) => {
    // A process that dies between two agents does not start the second.
    if (machine.isDead()) return new Promise(() => {})
    const activity: ObservedActivity = { machine, id: task.runId, startedMs: scheduler.nowMs(), interruptedMs: undefined }
    work.agents.add(activity)
    // The signal also aborts at the end of the run.
    onAbort(task, () => work.agents.has(activity) && interrupted(work.agentRuns, activity, scheduler.nowMs()))
    try {
      return await carryOut(task, activity)
    } finally {
      work.agents.delete(activity)
    }
  }
}
