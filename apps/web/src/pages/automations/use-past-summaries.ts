import { useEffect, useRef, useState } from 'react'
import { type ModelSummary, writePastSummary } from '../../api/automations.ts'
import { messageOf } from '../../api/request.ts'

export type Version = 'saved' | 'edited'

/** A day with the summaries written so far. */
export interface PastDay {
  at: string
  written: Partial<Record<Version, ModelSummary>>
}

/** The instructions of each version. Saved ones are left to the service. */
export type Versions = { version: Version; instructions?: string }[]

/** Has the summaries of some days written one after the other. Leaving the page cancels the one in progress. */
export function usePastSummaries(automationId: string) {
  const [days, setDays] = useState<PastDay[]>([])
  const [isWriting, setWriting] = useState(false)
  const [problem, setProblem] = useState<string>()
  const current = useRef<AbortController>(undefined)
  useEffect(() => () => current.current?.abort(), [])

  async function write(times: string[], versions: Versions): Promise<void> {
    const leaving = new AbortController()
    current.current = leaving
    setDays(times.map((at) => ({ at, written: {} })))
    setProblem(undefined)
    setWriting(true)
    try {
      for (const at of times) {
        for (const { version, ...instructions } of versions) {
          const summary = await writePastSummary(automationId, { at, ...instructions }, leaving.signal)
          setDays((before) => before.map((day) => (day.at === at ? { at, written: { ...day.written, [version]: summary } } : day)))
        }
      }
    } catch (error) {
      if (!leaving.signal.aborted) setProblem(messageOf(error))
    } finally {
      setWriting(false)
    }
  }

  return { days, isWriting, problem, write, cancel: () => current.current?.abort() }
}
