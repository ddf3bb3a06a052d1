
export const deliveryCalls = [
  'store.claim',
  'store.record',
  'store.release',
  'store.holdLeftovers',
  'network.resolve',
  'network.post',
  'clock.sleep',
] as const
export const workCalls = [
  'store.time',
  'store.runs.claim',
  'store.runs.renew',
  'store.runs.readStops',
  'store.runs.recordProgress',
  'store.runs.end',
  'store.runs.failAbandoned',
  'store.runs.request',
  'store.runs.read',
  'store.agentRuns.claim',
  'store.agentRuns.renew',
  'store.agentRuns.readStops',
  'store.agentRuns.end',
  'store.agentRuns.giveBack',
  'store.agentRuns.recover',
  'store.chat.add',
  'store.chat.change',
  'store.dueTimes.claim',
  'store.emails.claim',
  'store.emails.record',
  'engine.run',
  'results.write',
  'results.remove',
  'mail.send',
] as const
export const portCalls = [...deliveryCalls, ...workCalls] as const
export type PortCall = (typeof portCalls)[number]
export type StoreCall = Extract<PortCall, `store.${string}`>
