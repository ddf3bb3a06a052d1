import { type Static, Type } from 'typebox'
import { getAutomationRun as findRun } from '../../../domain/agent-runs/agent-runs.ts'
import type { AgentRunInFull } from '../../../model/agent-run.ts'
import { listAutomations as readAutomations } from '../../../domain/automations/automations.ts'
import { runAutomation } from '../../../domain/automations/run-automation.ts'
import { presentAgentRun } from '../../present-agent-run.ts'
import { bounds } from '../mcp-limits.ts'
import { linksAt } from '../mcp-links.ts'
import { AutomationId, closed, Next, nullable, nullableText, pageOf, pageRequest, paging, Status, text, waiting } from '../shapes.ts'
import { shown, shownOrNull } from '../mcp-texts.ts'
import { defineTool, reads } from '../tool.ts'
import { waitForEnd } from '../wait-for-end.ts'

const AutomationRunId = Type.String({ maxLength: 100, description: 'For example arun_…' })

export const listAutomations = defineTool({
  name: 'list_automations',
  scope: 'read:automations',
  title: 'List automations',
  description:
    'Lists automations. In an automation, an agent reports on references, on a schedule, when a result changes or on demand, ' +
    'and writes a summary into a chat.',
  hints: reads,
  input: Type.Object(paging, closed),
  output: pageOf(
    Type.Object({
      id: text,
      name: text,
      instructions: text,
      agent: text,
      enabled: Type.Boolean(),
      strict: Type.Boolean({ description: 'Whether a run fails if its summary has a figure that is not proven' }),
      references: Type.Array(text, { description: 'shortIds' }),
      schedule: nullable(Type.Object({ cron: text, timeZone: text })),
      nextDueAt: nullableText,
      latestRun: nullable(
        Type.Object({ id: text, status: Status, requestedAt: text, endedAt: nullableText, chatUrl: text }),
      ),
      url: text,
    }),
  ),
  async call({ services, caller }, input) {
    const page = await readAutomations(services, caller, pageRequest(input))
    const links = linksAt(services)
    const items = page.items.map(({ latestRun, ...automation }) => ({
      id: automation.id,
      name: shown(automation.name, bounds.listedText),
      instructions: shown(automation.instructions, bounds.listedText),
      agent: automation.agent,
      enabled: automation.enabled,
      strict: automation.strict,
      references: automation.references,
      schedule: automation.schedule,
      nextDueAt: automation.nextDueAt?.toISOString() ?? null,
      latestRun: latestRun && {
        id: latestRun.id,
        status: latestRun.status,
        requestedAt: latestRun.requestedAt.toISOString(),
        endedAt: latestRun.endedAt?.toISOString() ?? null,
        chatUrl: links.chat(latestRun.chatShortId),
      },
      url: links.automation(automation.id),
    }))
    return { ...page, items }
  },
})

const AutomationRunAnswer = Type.Object({
  id: text,
  automationId: text,
  automationName: text,
  status: Status,
  trigger: text,
  triggerId: text,
  requestedAt: text,
  endedAt: nullableText,
  summary: nullableText,
  reason: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Why it failed' }),
  chatUrl: text,
  next: Next,
})

function present(run: AgentRunInFull, place: { baseUrl: string }): Static<typeof AutomationRunAnswer> {
  const { id, requestedAt, endedAt, chatUrl } = presentAgentRun(run, place)
  return {
    id,
    automationId: run.automationId!,
    automationName: shown(run.automationName!, bounds.listedText),
    status: run.status,
    trigger: run.trigger,
    triggerId: run.triggerId,
    requestedAt,
    endedAt,
    summary: shownOrNull(run.summary, bounds.summary),
    reason: shownOrNull(run.failureReason, bounds.failureReason),
    chatUrl,
    next: endedAt
      ? 'It has ended. See chatUrl for each step.'
      : `It has not ended. Use get_automation_run with automationRunId ${id} and waitSeconds to wait for it.`,
  }
}

export const startAutomation = defineTool({
  name: 'start_automation',
  scope: 'run:automations',
  title: 'Start an automation',
  description:
    'Runs an automation now, even if it is paused. The run takes seconds to minutes. ' +
    'When it ends, people are notified and webhooks are sent, so start one only when asked to.',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: Type.Object({ automationId: AutomationId }, closed),
  output: AutomationRunAnswer,
  call: async ({ services, caller }, { automationId }) =>
    present(await runAutomation(services, caller, automationId, { trigger: 'api' }), services),
})

export const getAutomationRun = defineTool({
  name: 'get_automation_run',
  scope: 'read:automations',
  title: 'Get an automation run',
  description:
    'Returns the state of an automation run: its summary, or why it failed. With waitSeconds it waits for the run to end.',
  hints: reads,
  input: Type.Object({ automationRunId: AutomationRunId, ...waiting(0) }, closed),
  output: AutomationRunAnswer,
  async call({ services, caller, signal, reportProgress }, { automationRunId, waitSeconds = 0 }) {
    const run = await waitForEnd({
      clock: services.clock,
      waitMs: waitSeconds * 1000,
      signal,
      look: () => findRun(services, caller, automationRunId),
      isEnded: ({ endedAt }) => endedAt !== null,
      onWaiting: ({ status }) => reportProgress(status),
    })
    return present(run, services)
  },
})
