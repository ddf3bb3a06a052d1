import type { MemoryWork } from '../store/memory-work.ts'
import type { Machine } from './machine.ts'
import type { Automation, WorkPlan } from './work-plan.ts'

/** What the world has seen of query runs, agent runs, schedules and e-mails; beside the rows that are committed. */
export interface ObservedWork {
  plan: WorkPlan
  /** The committed rows. */
  tables: MemoryWork
  /** Who claimed under which name. */
  machineOf: Map<string, Machine>
  runs: Map<string, ObservedItem>
  agentRuns: Map<string, ObservedItem>
  automations: Map<string, Automation>
  /** Statements that run at an engine, and agents at work. */
  statements: Set<ObservedActivity>
  agents: Set<ObservedActivity>
  /** How many rows a run's statement gives, by the engine. */
  rowTotals: Map<string, number>
  /** What is kept of each run's result. */
  results: Map<string, { hash: string; rowCount: number }>
  sends: Map<string, ObservedSend[]>
  letterClaims: Map<string, { machine: Machine; atMs: number; attemptNumber: number; isRecorded: boolean }>
  /** When agents answered, by agent run. */
  answers: Map<string, { machine: Machine; summary: string }[]>
}

export interface ObservedItem {
  requestedMs: number
  /** Who has it, since when, and when the lease was last given or renewed. */
  holder: Holder | undefined
  stopRequestedMs: number | undefined
  endedMs: number | undefined
}

export interface Holder {
  machine: Machine
  atMs: number
  renewedMs: number
  leaseNumber: number
  /** When what it carries out was asked to stop. */
  interruptedMs: number | undefined
}

/** Notes that a statement or an agent was asked to stop. */
export function interrupted(items: Map<string, ObservedItem>, activity: ObservedActivity, nowMs: number): void {
  activity.interruptedMs ??= nowMs
  const holder = items.get(activity.id)?.holder
  if (holder?.machine === activity.machine) holder.interruptedMs ??= nowMs
}

/** A statement at its engine, or an agent at its task. */
export interface ObservedActivity {
  machine: Machine
  id: string
  startedMs: number
  /** When it was asked to stop. */
  interruptedMs: number | undefined
}

export interface ObservedSend {
  machine: Machine
  attemptNumber: number
  startedMs: number
  /** When the server took it. */
  takenMs: number | undefined
  /** When the worker learned what came of it. */
  endedMs: number | undefined
  isAnswerLost: boolean
  outcome: 'taken' | 'refused for now' | 'refused for good' | undefined
}

export function makeObservedWork(plan: WorkPlan, tables: MemoryWork): ObservedWork {
  return {
    plan,
    tables,
    machineOf: new Map(),
    runs: new Map(),
    agentRuns: new Map(),
    automations: new Map(plan.automations.map((automation) => [automation.id, automation])),
    statements: new Set(),
    agents: new Set(),
    rowTotals: new Map(),
    results: new Map(),
    sends: new Map(),
    letterClaims: new Map(),
    answers: new Map(),
  }
}
