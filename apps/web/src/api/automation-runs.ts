import { queryOptions } from '@tanstack/react-query'
import type { RunStatus } from './generated/schemas.ts'
import { request } from './request.ts'

export type {
  AgentKind,
  AgentRun,
  AgentRunTrigger,
  AutomationRun,
  AutomationRunEvent,
  DeliveryState,
  ListedAutomationRun,
  RunStatus,
} from './generated/schemas.ts'

export const isAtWork = (run: { status: RunStatus }) => run.status === 'pending' || run.status === 'running'

export const getAutomationRun = (id: string, signal: AbortSignal) =>
  request('GET /automation-runs/{id}', { params: { id }, signal })

export const stopAutomationRun = (id: string) => request('POST /automation-runs/{id}/stop', { params: { id } })

const pollMs = 5000

/** Polls while deliveries of its event are pending. */
export const automationRunOptions = (id: string) =>
  queryOptions({
    queryKey: ['automation runs', id],
    queryFn: ({ signal }) => getAutomationRun(id, signal),
    refetchInterval: ({ state }) =>
      state.data?.event?.deliveries.some((delivery) => delivery.state === 'pending') ? pollMs : false,
  })
