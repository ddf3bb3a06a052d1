import { asViewer } from '../../store/access/viewer.ts'
import type { Db } from '../../store/db.ts'
import { viewerOf, withAccess } from '../access/read-access.ts'
import type { Agent } from '../agent-runs/agent.ts'

/**
 * An agent that answers a person reads only what that person may see. One that works for an automation reads what the organization has,
 * because its creator could see it and chose who gets the report.
 */
export function answerAsAsker(deps: { db: Db }, agent: Agent): Agent {
  return async (task) => {
    if (task.automationId !== null) return agent(task)
    const caller = await withAccess(deps.db, task.caller)
    return asViewer(viewerOf(caller), () => agent({ ...task, caller }))
  }
}
