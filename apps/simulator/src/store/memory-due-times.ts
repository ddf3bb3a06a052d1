import type { DueTimes } from '@querypost/server/background-work'
import type { Random } from '@querypost/server/ports'
import type { DueAutomation } from '@querypost/server/store'
import { insertAgentRun, isAutomationBusy } from './memory-agent-runs.ts'
import type { MemoryAutomation, MemoryWork, WorkRules } from './memory-work.ts'

export interface MemoryDueTimes extends DueTimes {
  /** The second step of a broken store that takes two. */
  finishStep(): void
  hasLeftOver(): boolean
}

/** Due times in memory. Requesting the run and moving the due time is one step. */
export function makeMemoryDueTimes(options: { work: MemoryWork; rules: WorkRules; random: Random }): MemoryDueTimes {
  const { work, rules, random } = options
  let leftOver: (() => void)[] = []

  const isBusy = ({ id }: MemoryAutomation) => rules.waitsForRunUnderWay && isAutomationBusy(work, id)

  return {
    async claimBatch({ count, exceptIds, claimed, findNextTimes }) {
      const now = rules.nowOf(work, 'schedules')
      const due = [...work.automations.values()]
        .filter((each) => each.nextDueAt !== null && each.nextDueAt <= now && !isBusy(each) && !exceptIds.includes(each.id))
        .sort((a, b) => a.nextDueAt!.getTime() - b.nextDueAt!.getTime() || (a.id < b.id ? -1 : 1))
        .slice(0, count)
      for (const automation of due) claimed.push(dueOf(automation, now))
      for (const automation of due) {
        const one = dueOf(automation, now)
        const { missedCount, nextAt } = findNextTimes(one)
        const { organizationId, createdBy: userId, id: automationId } = automation
        const move = () => work.write('automations', automation, { nextDueAt: nextAt })
        const request = () =>
          insertAgentRun(work, random, {
            organizationId,
            automationId,
            userId,
            trigger: 'schedule',
            triggerId: automationId,
            dueAt: one.dueAt,
            missedCount: rules.missed(missedCount),
          })
        if (rules.dueTimeSteps !== 'run first') move()
        else leftOver.push(move)
        if (rules.dueTimeSteps !== 'time first') request()
        else leftOver.push(request)
      }
    },
    hasLeftOver: () => leftOver.length > 0,
    finishStep() {
      const taken = leftOver
      leftOver = []
      for (const step of taken) step()
    },
  }
}

const dueOf = (automation: MemoryAutomation, now: Date): DueAutomation => ({
  id: automation.id,
  organizationId: automation.organizationId,
  name: automation.name,
  instructions: 'Look.',
  agent: 'digest',
  createdBy: automation.createdBy,
  cron: automation.cron,
  timeZone: automation.timeZone,
  dueAt: automation.nextDueAt!,
  foundAt: now,
})
