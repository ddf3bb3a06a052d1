/** The states of an edited document, for undo and redo. */
export interface EditHistory<State> {
  /** Oldest first. */
  past: State[]
  present: State
  /** Next first. */
  future: State[]
  /** Names a series of small changes, such as typing in one field, that is undone in one step. */
  series: string | undefined
}

const maxSteps = 200

export const startHistory = <State>(present: State): EditHistory<State> => ({ past: [], present, future: [], series: undefined })

/** Records a change. One that continues the series of the last change becomes part of the same step. */
export function record<State>(history: EditHistory<State>, next: State, series?: string): EditHistory<State> {
  if (next === history.present) return history
  const continues = series !== undefined && series === history.series && history.past.length > 0
  const past = continues ? history.past : [...history.past, history.present].slice(-maxSteps)
  return { past, present: next, future: [], series }
}

export function undo<State>(history: EditHistory<State>): EditHistory<State> {
  const previous = history.past.at(-1)
  if (previous === undefined) return history
  return { past: history.past.slice(0, -1), present: previous, future: [history.present, ...history.future], series: undefined }
}

export function redo<State>(history: EditHistory<State>): EditHistory<State> {
  const [next, ...future] = history.future
  if (next === undefined) return history
  return { past: [...history.past, history.present], present: next, future, series: undefined }
}

export const canUndo = (history: EditHistory<unknown>) => history.past.length > 0
export const canRedo = (history: EditHistory<unknown>) => history.future.length > 0
