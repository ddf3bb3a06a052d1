import { asViewer } from '../../store/viewer.ts'
import type { Db } from '../../store/db.ts'
import { readAutomationViewer, viewerOf, withAccess } from '../access/read-access.ts'
import type { Agent } from '../agent-runs/agent.ts'

/**
 * An agent that answers a person reads only what that person may see. One that works for an automation reads what the organization has,
 * because its creator could see it and chose who gets the report; row rules have values of their own for it.
 */
export function answerAsAsker(deps: { db: Db }, agent: Agent): Agent {
  return async (task) => {
    if (task.automationId !== null) return asViewer(await readAutomationViewer(deps.db, task.caller), () => agent(task))
    const caller = await withAccess(deps.db, task.caller)
    return asViewer(viewerOf(caller), () => agent({ ...task, caller }))
  }
}
