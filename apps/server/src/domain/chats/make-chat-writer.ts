import type { Clock } from '../../ports/clock.ts'
import type { AgentRunLease } from '../../model/agent-run.ts'
import { addMessageUnderLease, changeMessageUnderLease } from '../../store/chats/write-under-lease.ts'
import type { Db } from '../../store/db.ts'
import { asNobody } from '../../store/viewer.ts'
import { type ChatWriter } from '../agent-runs/chat-writer.ts'
import { LeaseLost } from '../agent-runs/lease-lost.ts'

/**
 * Writes to the chat of the run that holds this lease, also if the chat is hidden from the person who asked: a model can mention something
 * hidden, and the run must still end.
 */
export function makeChatWriter(deps: { db: Db; clock: Clock }, lease: AgentRunLease): ChatWriter {
  return {
    async add(content) {
      const number = await asNobody(() => addMessageUnderLease(deps.db, { lease, content, now: deps.clock.now() }))
      if (number === undefined) throw lost(lease)
      return number
    },
    async change(number, content) {
      const outcome = await asNobody(() => changeMessageUnderLease(deps.db, { lease, number, content, now: deps.clock.now() }))
      if (outcome === 'lease_lost') throw lost(lease)
      if (outcome === 'no_such_message') throw new Error(`Run ${lease.runId} has not written message ${number}.`)
    },
  }
}

const lost = ({ runId }: AgentRunLease) => new LeaseLost(`The agent run ${runId} is no longer leased by this worker.`)
